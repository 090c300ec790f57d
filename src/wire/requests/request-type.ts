/** The one byte before a request's payload; the Python engine's internal ones are never sent. */
export const ADD = 0;
export const ABORT = 1;
export const START_DP_WAVE = 2;
export const UTILITY = 3;
