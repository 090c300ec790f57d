import type { PromRegistry } from '../prom-client.js';
import { scrapeOf } from '../scrape.js';
import { Page } from './page.js';
import { Slices } from './slices.js';

/** A registry's page and whose turn it is: scrapes that overlap use it one after the other. */
class Desk {
  #page = new Page();
  #last: Promise<unknown> = Promise.resolve();

  /** Calls `work` with the page when all earlier work is over. Work that fails takes the page with it. */
  use<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => work(this.#page));
    this.#last = done.catch(() => {
      this.#page = new Page();
    });
    return done;
  }
}

const desks = new WeakMap<PromRegistry, Desk>();

function deskOf(registry: PromRegistry): Desk {
  const known = desks.get(registry);
  if (known !== undefined) return known;
  const made = new Desk();
  desks.set(registry, made);
  return made;
}

/** Asks the registry for its metrics, brings its page up to date and gives what `read` makes of it. */
export async function scrapePage<T>(
  registry: PromRegistry,
  timeoutMs: number,
  read: (page: Page, slices: Slices) => Promise<T>,
): Promise<T> {
  const scrape = await scrapeOf(registry, timeoutMs);
  return deskOf(registry).use(async (page) => {
    const slices = new Slices();
    await page.refresh(scrape, slices);
    return read(page, slices);
  });
}
