import type { Socket } from 'zeromq';

/**
 * Calls `onClosed` when a peer's connection is closed, whoever closed it. Engines open and close bare TCP connections
 * before the real one, to see whether somebody listens: these fail their handshake first and do not count.
 * @see vllm/v1/engine/core.py; the monitor events of libzmq
 */
export function watchConnections(socket: Socket, onClosed: () => void): void {
  let failedHandshakes = 0;
  const onFailed = () => {
    failedHandshakes++;
  };
  socket.events.on('handshake:error:other', onFailed);
  socket.events.on('handshake:error:protocol', onFailed);
  socket.events.on('handshake:error:auth', onFailed);
  socket.events.on('disconnect', () => {
    if (failedHandshakes > 0) failedHandshakes--;
    else onClosed();
  });
}
