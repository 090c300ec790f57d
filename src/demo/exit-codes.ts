/** What `npm start` ends with beside 0, and 1 of a page that disagrees with itself. */

/** A replay that lost all its engines before its end. */
export const EXIT_CUT_SHORT = 1;
/** Bad input. */
export const EXIT_USAGE = 2;
/** The shell's own for Ctrl-C: a part of a trace must not pass for all of it where `--once` is a check. */
export const EXIT_INTERRUPTED = 130;
