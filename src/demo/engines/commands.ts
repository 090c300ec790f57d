import type { EngineServer } from '../../zeromq/index.js';

/** An array that promises more than there is: no msgpack. */
const MALFORMED = Uint8Array.of(0xdc, 0xff, 0xff);

/** Does what a line says: what engines do to a frontend that has to live with it. */
export async function obey(server: EngineServer, line: string): Promise<void> {
  const [command, index, argument = ''] = line.trim().split(/\s+/);
  const engineIndex = Number(index);
  switch (command) {
    case '':
      return;
    case 'kill':
      return server.kill(engineIndex);
    case 'start':
      return server.start(engineIndex);
    case 'die':
      return server.die(engineIndex);
    case 'malformed':
      return server.sendRaw(engineIndex, MALFORMED);
    case 'raw':
      return server.sendRaw(engineIndex, Uint8Array.from(Buffer.from(argument, 'base64')));
    case 'exit':
      process.exit(1); // a process that crashes says nothing to anybody
      break;
    default:
      throw new Error(
        `command: expected kill, start, die, malformed, raw or exit, got ${JSON.stringify(command)}`,
      );
  }
}
