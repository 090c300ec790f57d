/**
 * An engine that no longer serves: its connection closed, it said that it died, or it fell silent. Ends each of its
 * open streams.
 */
export class EngineLostError extends Error {
  override readonly name = 'EngineLostError';
  readonly engineIndex: number;
  /** How it was lost, in words. */
  readonly reason: string;

  constructor(engineIndex: number, reason: string) {
    super(`engine ${engineIndex}: expected one that serves, got one that is lost: ${reason}`);
    this.engineIndex = engineIndex;
    this.reason = reason;
  }
}
