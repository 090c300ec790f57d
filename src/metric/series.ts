/** One label set of a family and the cells that hold its values. */
export class Series {
  /** Label names to values, in the descriptor's order; frozen, one object for the series' life. */
  readonly labels: Readonly<Record<string, string>>;
  /** A counter's or gauge's value; a histogram's counts per bucket (not cumulative, +Inf last), then its sum. */
  readonly cells: Float64Array;
  /** True while the series is kept but not on the page: an engine that was removed. */
  hidden = false;
  /** How many users hold it; who releases the last hold removes it. */
  owners = 0;

  constructor(labels: Readonly<Record<string, string>>, size: number) {
    this.labels = Object.freeze(labels);
    this.cells = new Float64Array(size);
  }
}
