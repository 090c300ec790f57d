/** Figures as the terminal shows them. */

/** `19,366`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 engine`, `19,366 engines`. */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Seconds with four significant digits at most, `–` for none. */
export function seconds(value: number): string {
  return Number.isNaN(value) ? '–' : String(Number(value.toPrecision(4)));
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `00:58:22`. */
export function clockTime(milliseconds: number): string {
  const total = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
