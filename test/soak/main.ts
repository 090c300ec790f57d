/** `npm run soak [-- --requests N | --seconds S | --seed X]`: exit code 1 if anything was lost, or the heap grows. */
import { parseOptions } from './options.js';
import { reportOf } from './report.js';
import { soak } from './soak.js';

const options = parseOptions(process.argv.slice(2));
const result = await soak(options, (line) => console.error(line));
const { lines, passed } = reportOf(result, options.seed);
for (const line of lines) console.log(line);
process.exitCode = passed ? 0 : 1;
