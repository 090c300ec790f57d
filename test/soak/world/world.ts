import { Registry } from 'prom-client';
import { Ledger } from '../ledger.js';
import { Random } from '../random.js';
import { VirtualTime } from '../virtual-time.js';
import { Frontend } from './frontend.js';

/** As many requests as a frontend has under way. */
const CONCURRENCY = 128;

/** Three frontends on one registry, one for each way to reload. */
export class World {
  readonly random: Random;
  readonly time: VirtualTime = new VirtualTime();
  readonly ledger: Ledger = new Ledger();
  readonly registry: Registry = new Registry();
  readonly frontends: readonly Frontend[];

  constructor(seed: number) {
    this.random = new Random(seed);
    this.frontends = [
      // Its router lives as long as the run: the one that remembers ids whose abort nobody answers.
      new Frontend(this, {
        name: 'drain',
        engines: 4,
        reload: 'drain',
        replies: ['final output', 'finished requests', 'silent'],
      }),
      new Frontend(this, { name: 'overlap', engines: 3, reload: 'overlap', replies: ['final output'] }),
      new Frontend(this, {
        name: 'drop',
        engines: 2,
        reload: 'drop',
        replies: ['final output', 'finished requests'],
      }),
    ];
  }

  /** One turn of every frontend. */
  turn(): void {
    for (const frontend of this.frontends) {
      this.time.advance(1 + this.random.below(4));
      for (let i = 0; i < 16 && frontend.admission.numLive < CONCURRENCY; i++) frontend.admission.admit();
      frontend.step();
      frontend.churn();
    }
  }

  /** No more requests, until everybody has ended. */
  drain(): void {
    while (!this.frontends.every((frontend) => frontend.isIdle)) {
      for (const frontend of this.frontends) {
        this.time.advance(1);
        frontend.step();
      }
    }
  }
}
