/** Something in a message that was left out, while the rest of it was read. */
export interface WireDiagnostic {
  /** The camelCase path of the field, without indexes: `outputs.events.type`. */
  readonly source: string;
  /** What was expected there, in words. */
  readonly message: string;
  /** Where in the message's first frame, in bytes. */
  readonly offset: number;
}
