/**
 * `npm run engines`: the simulated fleet behind the engine side of vLLM's protocol, as a program of its own. It prints a
 * line once its engines are ready, and takes commands on standard input (commands.ts), one a line.
 */
import { createInterface } from 'node:readline';
import { asyncScheduler } from 'rxjs';
import { simulateEngines } from '../../simulator/index.js';
import { serveEngines } from '../../zeromq/index.js';
import { UsageError } from '../command/usage-error.js';
import { EXIT_USAGE } from '../exit-codes.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { obey } from './commands.js';
import { HELP, parseEngineOptions } from './engine-options.js';

async function main(args: readonly string[]): Promise<void> {
  const options = parseEngineOptions(args);
  if (options === undefined) {
    console.log(HELP);
    return;
  }
  const { handshake, indexes, seed, abortReply, fields, stepMs } = options;
  // The server answers aborts itself: an engine that did so too would answer twice.
  const settings = { engines: indexes, seed, scheduler: asyncScheduler, abortReply: 'silent' as const };
  const fleet = simulateEngines({
    ...settings,
    stepTime: { baseMs: stepMs, perPrefillTokenMs: stepMs / 1000 },
  });
  const onDiagnostic = ({ message }: { readonly message: string }) => console.error(message);
  const server = await serveEngines(fleet, { handshake, engines: indexes, abortReply, fields, onDiagnostic });
  const end = async (): Promise<void> => {
    fleet.close();
    await server.close();
    process.exit(0);
  };
  onInterrupt(() => void end());
  console.log(`engines ${indexes.join(', ')} are ready, of the frontend on ${handshake}`);
  const commands = createInterface({ input: process.stdin });
  commands.on('line', (line) => obey(server, line).catch((error: Error) => console.error(error.message)));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_USAGE;
}
