export { type EngineOutputOptions, engineOutput } from './engine-output.js';
export { readSamples } from './read-samples.js';
export { type MarbleHelpers, runMarbles } from './run-marbles.js';
export { schedulerStats } from './scheduler-stats.js';
