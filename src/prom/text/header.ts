import type { MetricDescriptor } from '../../metric/descriptor.js';

const IN_TEXT = /[\\\n]/g;
const IN_OPEN_METRICS = /[\\\n"]/g;

/** A help text; OpenMetrics wants quotes escaped as well. */
export function escapeHelp(help: string, openMetrics: boolean): string {
  const escaped = openMetrics ? IN_OPEN_METRICS : IN_TEXT;
  return help.replace(escaped, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}

/** The name that OpenMetrics gives a counter's family: without `_total`, which its samples keep. */
export function strippedName(name: string): string {
  return name.replace(/_total$/, '');
}

/** The HELP and TYPE lines of one of our families. */
export function headerOf({ name, help, type }: MetricDescriptor, openMetrics: boolean): string {
  const family = openMetrics && type === 'counter' ? strippedName(name) : name;
  return `# HELP ${family} ${escapeHelp(help, openMetrics)}\n# TYPE ${family} ${type}\n`;
}
