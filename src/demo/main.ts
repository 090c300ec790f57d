/**
 * `npm start`. The rooms, each on those before it: `command` is the command line and what it may get wrong; `terminal`
 * writes lines; `trace` reads files; `run` replays a trace on simulated engines; `report` says what came of it; `fleet` is
 * engines that serve in real time, built-in or connected from other processes;
 * `frontend` serves engines live, and `frontend/openai` speaks to OpenAI's clients.
 */
import { UsageError } from './command/usage-error.js';
import { EXIT_USAGE } from './exit-codes.js';
import { runDemo } from './run-demo.js';
import { Terminal } from './terminal/terminal.js';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // `npm start | head`: whoever read has gone, and nobody needs to hear of it.
  if (code === 'EPIPE') process.exit();
  console.error(
    new UsageError('standard output', 'a place that takes what is written', String(code)).message,
  );
  process.exit(EXIT_USAGE);
});

try {
  process.exitCode = await runDemo(process.argv.slice(2), new Terminal(process.stdout));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_USAGE;
}
