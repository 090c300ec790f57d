/** One instance's engines and what its recorders share: the inside of `ServingMetrics`. */
import { type Observable, Subject, type TimestampProvider } from 'rxjs';
import type { Counter } from '../../metric/counter.js';
import { releaseFamilies } from '../../prom/register.js';
import { Diagnostics } from '../diagnostics.js';
import type { FinishedRequestStats } from '../finished-request-stats.js';
import type { ResolvedOptions } from '../options.js';
import type { Profile } from '../profile.js';
import type { RecordingContext, TokenSource } from '../recording-context.js';
import { AdmissionRejections } from './admission-rejections.js';
import { acquireCatalog, type Families } from './families.js';
import { InstanceEngine } from './instance-engine.js';
import { LoraTracker } from './lora.js';
import { SeriesHolder } from './series-holder.js';
import type { ModelInstance, ServedModel } from './served-model.js';

export class ServingCore implements RecordingContext, ModelInstance {
  readonly modelName: string;
  readonly clock: TimestampProvider;
  readonly isDefaultClock: boolean;
  readonly omitUnknown: boolean;
  readonly profile: Profile;
  readonly diagnostics: Diagnostics;
  readonly finished: Subject<FinishedRequestStats> = new Subject();
  readonly finishedRequests: Observable<FinishedRequestStats> = this.finished.asObservable();
  readonly lora: LoraTracker;
  readonly admissions: AdmissionRejections;
  readonly tokenCounts: Readonly<Record<TokenSource, Counter>> | undefined;
  /** Completes with {@link dispose}. */
  readonly disposals: Subject<never> = new Subject();
  /** Each engine as this instance comes to know it. */
  readonly newEngines: Subject<InstanceEngine> = new Subject();
  disposed = false;
  readonly #options: ResolvedOptions;
  readonly #families: Families;
  readonly #holder: SeriesHolder;
  readonly #model: ServedModel;
  readonly #engines = new Map<number, InstanceEngine>();

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.modelName = options.modelName;
    // Taken here once: Node's global `performance` is behind a getter of some 20 ns, three of which a request would pay.
    this.clock = options.clock ?? globalThis.performance;
    this.isDefaultClock = options.clock === undefined;
    this.omitUnknown = options.omitUnknown;
    this.profile = options.profile;
    this.#families = acquireCatalog(options, this);
    const { state } = this.#families;
    this.#model = state.join(this.modelName, this, this.profile);
    this.#holder = new SeriesHolder(this.#families, this.#model, options.engineNames);
    this.tokenCounts = this.profile === 'gateway' ? this.#holder.tokenCounts() : undefined;
    this.diagnostics = new Diagnostics((source) => this.#holder.invalidValues(source), options.onDiagnostic);
    this.admissions = new AdmissionRejections(
      (reason) => this.#holder.admissionRejections(reason),
      this.diagnostics,
    );
    this.lora = new LoraTracker(options.maxLora);
    state.loras.add(this.lora);
    this.#model.standDraftPositions(options.numSpecTokens);
    if (options.engines !== undefined) for (const index of options.engines) this.activeEngine(index);
    // Without a list it takes over what the model has here: a reload keeps the counts of engines found at run time.
    else for (const index of this.#model.engines.keys()) this.engine(index);
  }

  /** The engines this instance knows, removed ones too, in no order. */
  engines(): IterableIterator<InstanceEngine> {
    return this.#engines.values();
  }

  /** Gets or makes the engine; one that was removed stays so. */
  engine(index: number): InstanceEngine {
    let engine = this.#engines.get(index);
    if (engine === undefined) {
      engine = new InstanceEngine(index, this.#holder, this.#model, this.disposed);
      this.#engines.set(index, engine);
      this.newEngines.next(engine);
    }
    return engine;
  }

  /** Gets or makes the engine and brings it back if it was removed. */
  activeEngine(index: number): InstanceEngine {
    const engine = this.engine(index);
    if (engine.shared?.removed === true) engine.shared.revive();
    return engine;
  }

  /** Removes the engine for all instances of the model on this registry. */
  removeEngine(index: number): void {
    if (!this.disposed) this.#model.engines.get(index)?.remove();
  }

  draftPositionsGrew(): void {
    for (const engine of this.#engines.values()) engine.resolveDraftPositions(this.#model.numDraftPositions);
  }

  /** True for a step that was just recorded, by this or another instance of the model. */
  isRepeated(batch: unknown): boolean {
    return this.#model.isRepeated(batch);
  }

  get inFlight(): number {
    if (this.disposed) return 0;
    let inFlight = 0;
    for (const engine of this.#engines.values()) inFlight += engine.inFlight;
    return inFlight;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const { state, all } = this.#families;
    for (const engine of this.#engines.values()) engine.leave();
    this.diagnostics.close();
    this.lora.clear();
    state.loras.delete(this.lora);
    this.#holder.release();
    state.leave(this.#model, this);
    releaseFamilies(this.#options.registry, all, this);
    this.finished.complete();
    this.newEngines.complete();
    this.disposals.complete();
  }
}
