import type { MetricDescriptor } from '../../metric/descriptor.js';
import { escapeHelp } from './escape.js';

/** The name that OpenMetrics gives a counter's family: without `_total`, which its samples keep. */
export function strippedName(name: string): string {
  return name.replace(/_total$/, '');
}

/** The HELP and TYPE lines of one of our families. */
export function headerOf({ name, help, type }: MetricDescriptor, openMetrics: boolean): string {
  const family = openMetrics && type === 'counter' ? strippedName(name) : name;
  return `# HELP ${family} ${escapeHelp(help, openMetrics)}\n# TYPE ${family} ${type}\n`;
}
