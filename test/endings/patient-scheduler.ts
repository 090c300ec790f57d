import type { SchedulerAction } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

interface Queued extends SchedulerAction<unknown> {
  readonly delay: number;
  readonly state: unknown;
  execute(state: unknown, delay: number): unknown;
}

/**
 * A TestScheduler that goes on after an action has thrown, as a process does that logs what is uncaught. RxJS's own
 * drops all that is queued then, and with it the wake-up that `asapScheduler`, which both worlds share, waits for.
 */
export class PatientScheduler extends TestScheduler {
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    super(() => {});
    this.#onError = onError;
  }

  override flush(): void {
    const actions = this.actions as unknown as Queued[];
    for (let action = actions.shift(); action !== undefined; action = actions.shift()) {
      this.frame = action.delay;
      const error = action.execute(action.state, action.delay);
      if (error) this.#onError(error);
    }
  }
}
