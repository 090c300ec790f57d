/** A page as a plain text reader sees it. */
export interface PageSample {
  readonly line: string;
  readonly name: string;
  /** In the order of the page. */
  readonly labels: ReadonlyMap<string, string>;
  /** The value as spelled. */
  readonly text: string;
}

export interface PageFamily {
  readonly type: string;
  readonly samples: readonly PageSample[];
}

const SAMPLE = /^([\w:]+)(?:\{(.*)\})? (\S+)$/u;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/gu;

function parseSample(line: string): PageSample {
  const [, name, labels = '', text] = SAMPLE.exec(line) ?? [];
  if (name === undefined || text === undefined) throw new Error(`not a sample: ${line}`);
  return {
    line,
    name,
    labels: new Map([...labels.matchAll(LABEL)].map(([, label, value]) => [label!, value!])),
    text,
  };
}

/** Families by the name on their TYPE line, in the order of the page. */
export function parsePage(page: string): ReadonlyMap<string, PageFamily> {
  const families = new Map<string, { type: string; samples: PageSample[] }>();
  let samples: PageSample[] = [];
  for (const line of page.split('\n')) {
    if (line.startsWith('# TYPE ')) {
      const [, , name, type] = line.split(' ');
      samples = [];
      families.set(name!, { type: type!, samples });
    } else if (line !== '' && !line.startsWith('#')) samples.push(parseSample(line));
  }
  return families;
}

/** Names of a family's labels, sorted; `le` is no label of a histogram. */
export function labelNames({ samples }: PageFamily): string[] {
  const names = new Set(samples.flatMap(({ labels }) => [...labels.keys()]));
  names.delete('le');
  return [...names].sort();
}

/** The bounds of a histogram's first series, as spelled. */
export function bounds({ samples }: PageFamily): string[] {
  const all = samples.filter(({ labels }) => labels.has('le')).map(({ labels }) => labels.get('le')!);
  return all.slice(0, all.indexOf('+Inf') + 1);
}
