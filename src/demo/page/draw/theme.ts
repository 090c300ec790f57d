/** The colours of the page, as its style sheet has them for the theme of the moment. */

/** A colour of the style sheet, by the name of its variable without the dashes. */
export function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Calls `redraw` when the reader's theme changes: what was drawn in the other one's colours is drawn again. */
export function onThemeChange(redraw: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}
