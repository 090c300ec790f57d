import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import { ARRAY, TEXT } from '../msgpack/kind.js';
import { skip, skipOf } from '../msgpack/skip.js';
import { FINISH_REASONS } from '../outputs/enums.js';
import { EVENT, PREFILL_STATS } from '../outputs/output-structs.js';
import { knownMap } from './key-names.js';
import { KnownTexts } from './known-texts.js';
import { draftOf, type OutputDraft } from './output-draft.js';
import { shortHead, shortId, shortTokens, skipNothing } from './short-spelling.js';
import type { StructReader } from './struct-reader.js';
import { readTensors } from './tensors.js';
import type { ValueReader } from './value-reader.js';

/** Where an output stands: the message's array, the list, the output's own. */
const DEPTH = 3;
const NUM_NANS = 13;

const EVENTS = knownMap(EVENT, 'outputs.events');
const PREFILL = knownMap(PREFILL_STATS, 'outputs.prefillStats');

/** One output of a message. */
export class OutputReader {
  /** Auxiliary frames of the message, itself the first; undefined if tensors are not wanted. */
  frames: readonly Uint8Array[] | undefined;
  readonly #values: ValueReader;
  readonly #structs: StructReader;
  readonly #ids = new KnownTexts();

  constructor(values: ValueReader, structs: StructReader) {
    this.#values = values;
    this.#structs = structs;
  }

  /** The outputs that follow are a step of this engine's. */
  begin(engineIndex: number): void {
    this.#ids.begin(engineIndex);
  }

  /** Undefined for one without a readable id or token list. */
  read(): EngineCoreOutput | undefined {
    const { reader } = this.#values;
    const start = reader.position;
    const length = shortHead(reader);
    const id = length < 2 ? undefined : shortId(reader, this.#ids);
    if (id === undefined) {
      reader.position = start;
      return this.#readLong();
    }
    const draft = draftOf(id, shortTokens(reader) ?? this.#tokens());
    if (!skipNothing(reader, length)) this.#rest(draft, length);
    return this.#whole(draft, start);
  }

  /** An output in any other spelling: short and long arrays, ids of any length. */
  #readLong(): EngineCoreOutput | undefined {
    const { reader } = this.#values;
    const start = reader.position;
    const kind = reader.head();
    if (kind !== ARRAY) {
      skipOf(reader, kind, DEPTH - 1);
      this.#values.report('outputs', 'expected an array, left it out', start);
      return undefined;
    }
    const length = reader.number;
    const id = length > 0 ? this.#longId() : undefined;
    const draft = draftOf(id, length > 1 ? this.#tokens() : undefined);
    this.#rest(draft, length);
    return this.#whole(draft, start);
  }

  #tokens(): number[] | undefined {
    return this.#values.numbers(true, 'outputs.newTokenIds', DEPTH);
  }

  #longId(): string | undefined {
    const { reader } = this.#values;
    const kind = reader.head();
    if (kind !== TEXT) return this.#values.refuse(kind, 'outputs.requestId', 'a string', DEPTH);
    return this.#ids.take(reader, reader.need(reader.number), reader.number);
  }

  /** The output, if it can be used. */
  #whole(draft: OutputDraft, start: number): EngineCoreOutput | undefined {
    if (draft.requestId !== undefined && draft.newTokenIds !== undefined) return draft as EngineCoreOutput;
    this.#values.report('outputs', 'expected an id and a list of tokens, left the output out', start);
    return undefined;
  }

  /** The positions after the first two. In a step of decoding they are nil, the count of NaNs aside, which is 0. */
  #rest(draft: OutputDraft, length: number): void {
    const { reader } = this.#values;
    const { bytes } = reader;
    for (let position = 2; position < length; position++) {
      const byte = bytes[reader.position];
      if (byte === 0xc0 || (byte === 0 && position === NUM_NANS)) reader.position++;
      else this.#field(draft, position);
    }
  }

  #field(draft: OutputDraft, position: number): void {
    const values = this.#values;
    switch (position) {
      case 2:
        draft.newLogprobs = this.#tensors('newLogprobs');
        return;
      case 3:
        draft.newPromptLogprobsTensors = this.#tensors('newPromptLogprobsTensors');
        return;
      case 4:
        draft.poolingOutput = this.#tensors('poolingOutput');
        return;
      case 5:
        draft.finishReason = values.named(FINISH_REASONS, 'outputs.finishReason', DEPTH);
        return;
      case 6:
        draft.stopReason = this.#stopReason();
        return;
      case 7:
        draft.events = this.#events();
        return;
      case 11:
        draft.prefillStats = this.#structs.read(PREFILL, DEPTH);
        return;
      case NUM_NANS:
        draft.numNansInLogits = values.count('outputs.numNansInLogits', DEPTH) ?? 0;
        return;
      default:
        this.#rareField(draft, position);
    }
  }

  #rareField(draft: OutputDraft, position: number): void {
    const values = this.#values;
    switch (position) {
      case 8:
        draft.kvTransferParams = values.map('outputs.kvTransferParams', DEPTH);
        return;
      case 9:
        draft.ecTransferParams = values.map('outputs.ecTransferParams', DEPTH);
        return;
      case 10:
        draft.traceHeaders = values.map('outputs.traceHeaders', DEPTH);
        return;
      case 12:
        draft.routedExperts = this.#tensors('routedExperts');
        return;
      case 14:
        draft.mmCacheMissHashes = values.texts('outputs.mmCacheMissHashes', DEPTH);
        return;
      case 15:
        draft.newSamplingMask = this.#tensors('newSamplingMask');
        return;
      case 16:
        draft.specDecodeMetrics = values.map('outputs.specDecodeMetrics', DEPTH);
        return;
      case 17:
        draft.promptTokenIdLogprobs = this.#tensors('promptTokenIdLogprobs');
        return;
      default:
        skip(values.reader, DEPTH);
    }
  }

  /** A token's id or a string. */
  #stopReason(): number | string | undefined {
    const { reader } = this.#values;
    return reader.bytes[reader.position]! >= 0xa0 && this.#isText()
      ? this.#values.text('outputs.stopReason', DEPTH)
      : this.#values.count('outputs.stopReason', DEPTH);
  }

  #isText(): boolean {
    const { reader } = this.#values;
    const byte = reader.bytes[reader.position]!;
    return byte < 0xc0 || (byte >= 0xd9 && byte <= 0xdb);
  }

  /** Those that have a type and a time. */
  #events(): unknown[] | undefined {
    const events = this.#structs.readAll(EVENTS, DEPTH);
    return events?.filter(({ type, timestamp }) => {
      const isWhole = type !== undefined && timestamp !== undefined;
      if (!isWhole) this.#values.report(EVENTS.source, 'expected a type and a timestamp, left the event out');
      return isWhole;
    });
  }

  #tensors(name: string): unknown {
    const { reader } = this.#values;
    if (this.frames === undefined) {
      skip(reader, DEPTH);
      return undefined;
    }
    const offset = reader.position;
    return readTensors(reader, this.frames, DEPTH, () =>
      this.#values.report(`outputs.${name}`, 'expected the bytes of an array, left it out', offset),
    );
  }
}
