/** The shape of the golden files: steps fed to upstream's own code, and what it exported. */
import type { EngineCoreOutputs, FinishReason, SleepState } from '../../../src/index.js';
import { readFixture } from '../../support/fixtures.js';

export interface GoldenRequest {
  readonly requestId: string;
  readonly engineIndex: number;
  readonly numPromptTokens: number;
  readonly maxTokens: number | null;
  /** Seconds, frontend clock. */
  readonly arrivalTime: number;
  readonly loraName?: string;
  readonly parentId?: string;
  readonly n?: number;
}

/** One of `request`, `batch`, `end` and so on is set. */
export interface GoldenStep {
  /** Seconds, frontend clock. */
  readonly receivedAt: number;
  readonly request?: GoldenRequest;
  readonly batch?: EngineCoreOutputs;
  readonly end?: 'unsubscribe';
  readonly requestId?: string;
  readonly reason?: FinishReason;
  readonly mmCache?: { readonly engineIndex: number; readonly queries: number; readonly hits: number };
  readonly cacheConfig?: { readonly engineIndex: number; readonly fields: Readonly<Record<string, unknown>> };
  readonly sleepState?: { readonly engineIndex: number; readonly state: SleepState };
  readonly log?: { readonly elapsed: number; readonly records: readonly LogRecord[] };
}

export interface LogRecord {
  readonly level: 'info' | 'debug';
  /** May span lines. */
  readonly line: string;
}

export interface GoldenOptions {
  readonly modelName: string;
  readonly engines: readonly number[];
  readonly maxModelLen?: number;
  readonly maxLora?: number;
  /** Log lines: one line over all engines. */
  readonly aggregated?: boolean;
}

export interface GoldenCase {
  readonly name: string;
  readonly options: GoldenOptions;
  /** Python's NaN switch was on. */
  readonly computeNans?: boolean;
  /** Log lines: when the loggers were made, frontend clock. */
  readonly start?: number;
  readonly steps: readonly GoldenStep[];
  readonly samples: Readonly<Record<string, number>>;
  /** The exposition without HELP lines. */
  readonly text?: string;
  readonly differs: readonly { readonly reason: string; readonly keys: readonly string[] }[];
}

interface PythonFile {
  readonly cases: readonly GoldenCase[];
}

interface RustFile {
  readonly source: { readonly families: readonly string[] };
  readonly cases: readonly (Omit<GoldenCase, 'options'> & GoldenOptions & { readonly kind: string })[];
}

/** The cases of `python-….json`. */
export function pythonCases(file: string): readonly GoldenCase[] {
  return readFixture<PythonFile>(`golden/python-${file}.json`).cases;
}

/** The cases of the Rust frontend, and the families it recorded, counters without `_total`. */
export function rustCases(): { families: ReadonlySet<string>; cases: readonly GoldenCase[] } {
  const { source, cases } = readFixture<RustFile>('golden/rust-frontend.json');
  return {
    families: new Set(source.families),
    cases: cases.map(({ modelName, engines, ...rest }) => ({
      ...rest,
      options: { modelName, engines },
      differs: [],
    })),
  };
}
