import type { EngineCoreOutput, EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import { FLOAT, INTEGER, NIL } from '../msgpack/kind.js';
import { readArrayHead } from '../msgpack/messages.js';
import { skip } from '../msgpack/skip.js';
import { SCHEDULER_STATS } from '../outputs/stats-structs.js';
import { WireDecodeError } from '../wire-decode-error.js';
import type { WireDiagnostic } from '../wire-diagnostic.js';
import { knownMap } from './key-names.js';
import { KnownTexts } from './known-texts.js';
import { OutputReader } from './output-reader.js';
import { WireReporter } from './reporter.js';
import { StructReader } from './struct-reader.js';
import { readUtilityOutput } from './utility-output.js';
import { ValueReader } from './value-reader.js';

/** Options of {@link EngineCoreOutputsDecoder}. */
export interface DecoderOptions {
  /**
   * Log probabilities, pooling output, routed experts and sampling masks as `{dtype, shape, data}`; by default they are
   * skipped. Pickles in them are never decoded.
   */
  readonly tensors?: boolean | undefined;
  /** Told of what was left out of a message while the rest was read; what it throws is ignored. */
  readonly onDiagnostic?: ((diagnostic: WireDiagnostic) => void) | undefined;
}

type Draft = { -readonly [Name in keyof EngineCoreOutputs]: EngineCoreOutputs[Name] | undefined };

/** The message's own array is 1 deep. */
const DEPTH = 1;

const STATS = knownMap(SCHEDULER_STATS, 'schedulerStats');

function checked({ tensors, onDiagnostic }: DecoderOptions): DecoderOptions {
  if (tensors !== undefined && typeof tensors !== 'boolean')
    throw new TypeError(`tensors: expected true or false, got ${String(tensors)}`);
  if (onDiagnostic !== undefined && typeof onDiagnostic !== 'function')
    throw new TypeError(`onDiagnostic: expected a function, got ${String(onDiagnostic)}`);
  return { tensors, onDiagnostic };
}

/**
 * Reads the messages of engine cores in one pass over their bytes, straight into `EngineCoreOutputs`. It remembers
 * request ids by engine and position, so that a step of known requests makes no string; use one for all messages of a
 * socket. Arrays may be shorter or longer than today's, maps may have keys that are not known.
 * @see vllm/v1/serial_utils.py `MsgpackDecoder`
 */
export class EngineCoreOutputsDecoder {
  readonly #tensors: boolean;
  readonly #values: ValueReader;
  readonly #structs: StructReader;
  readonly #outputs: OutputReader;

  /** @throws {TypeError} on a bad option. */
  constructor(options: DecoderOptions = {}) {
    const { tensors = false, onDiagnostic } = checked(options);
    this.#tensors = tensors;
    this.#values = new ValueReader(new WireReporter(onDiagnostic), new KnownTexts());
    this.#structs = new StructReader(this.#values);
    this.#outputs = new OutputReader(this.#values, this.#structs);
  }

  /**
   * One message: its frame, or all of its frames with the auxiliary buffers after the first. Nothing of the bytes is
   * kept, save by tensors.
   * @throws {WireDecodeError} if the message as a whole cannot be read. What is smaller is left out with a diagnostic.
   */
  decode(frames: Uint8Array | readonly Uint8Array[]): EngineCoreOutputs {
    const all = frames instanceof Uint8Array ? [frames] : frames;
    const [message] = all;
    if (message === undefined) throw new WireDecodeError(0, 'truncated');
    const { reader } = this.#values;
    reader.reset(message);
    this.#outputs.frames = this.#tensors ? all : undefined;
    try {
      return this.#message();
    } finally {
      reader.release();
      this.#outputs.frames = undefined;
    }
  }

  #message(): EngineCoreOutputs {
    const { reader } = this.#values;
    const length = readArrayHead(reader);
    const draft: Draft = {
      engineIndex: length > 0 ? this.#engineIndex() : 0,
      outputs: [],
      schedulerStats: undefined,
      timestamp: undefined,
      utilityOutput: undefined,
      finishedRequests: undefined,
      waveComplete: undefined,
      startWave: undefined,
      weightVersion: undefined,
    };
    for (let position = 1; position < length; position++) this.#field(draft, position);
    reader.finish();
    return draft as EngineCoreOutputs; // a missing timestamp stays absent, which the recorders know
  }

  #engineIndex(): number {
    const { reader } = this.#values;
    const offset = reader.position;
    const kind = reader.head();
    if (kind === NIL) return 0;
    const isNumber = kind === INTEGER || kind === FLOAT;
    // Else its figures would be booked on another engine.
    if (!isNumber || !Number.isInteger(reader.number) || reader.number < 0)
      throw new WireDecodeError(offset, 'engine_index');
    return reader.number;
  }

  #field(draft: Draft, position: number): void {
    const values = this.#values;
    switch (position) {
      case 1:
        draft.outputs = this.#outputsOf(draft.engineIndex!);
        return;
      case 2:
        draft.schedulerStats = this.#structs.read(STATS, DEPTH);
        return;
      case 3:
        draft.timestamp = values.float('timestamp', DEPTH);
        return;
      case 4:
        draft.utilityOutput = readUtilityOutput(values, DEPTH);
        return;
      case 5:
        draft.finishedRequests = values.texts('finishedRequests', DEPTH);
        return;
      case 6:
        draft.waveComplete = values.count('waveComplete', DEPTH);
        return;
      case 7:
        draft.startWave = values.count('startWave', DEPTH);
        return;
      case 8:
        draft.weightVersion = values.text('weightVersion', DEPTH);
        return;
      default:
        skip(values.reader, DEPTH);
    }
  }

  #outputsOf(engineIndex: number): EngineCoreOutput[] {
    const length = this.#values.list('outputs', DEPTH);
    if (length === undefined || length === 0) return [];
    this.#outputs.begin(engineIndex);
    const outputs: EngineCoreOutput[] = [];
    for (let i = 0; i < length; i++) {
      const output = this.#outputs.read();
      if (output !== undefined) outputs.push(output);
    }
    return outputs;
  }
}
