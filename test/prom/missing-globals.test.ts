/** What a runtime without Node's globals has instead of them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** A module of `src/prom` as it is where a global is missing when it is loaded. */
async function loadWithout<T>(missing: string, load: () => Promise<T>): Promise<T> {
  vi.resetModules();
  vi.stubGlobal(missing, undefined);
  try {
    return await load();
  } finally {
    vi.unstubAllGlobals();
  }
}

/** What `use` gives while a global is missing. */
function without<T>(missing: string, use: () => T): T {
  vi.stubGlobal(missing, undefined);
  try {
    return use();
  } finally {
    vi.unstubAllGlobals();
  }
}

const loadBytes = () => import('../../src/prom/text/bytes.js');

describe.each(['Buffer', 'nothing of it'])('bytes and text without %s', (missing) => {
  let bytes: Awaited<ReturnType<typeof loadBytes>>;

  beforeEach(async () => {
    bytes = await loadWithout(missing, loadBytes);
  });

  it.each(['', 'ascii', 'é€😀', '\ufeffmark'])('%j is written and read as it was', (text) => {
    const encoded = new TextEncoder().encode(text);
    const wide = encoded.length !== text.length;
    const { memory, length, read } = without(missing, () => {
      const memory = bytes.allocate(3 + encoded.length);
      bytes.writeText(memory, text, 3, wide);
      return { memory, length: bytes.byteLength(text), read: bytes.readText(memory, 3, memory.length, wide) };
    });
    expect([length, read]).toEqual([encoded.length, text]);
    expect([...memory.subarray(3)]).toEqual([...encoded]);
  });

  it('a lone surrogate becomes U+FFFD', () => {
    const memory = bytes.allocate(3);
    bytes.writeText(memory, '\ud800', 0, true);
    expect(bytes.readText(memory, 0, 3, true)).toBe('\ufffd');
  });

  it('bytes move within their memory, over themselves too, and to other memory', () => {
    const memory = bytes.allocate(5);
    memory.set([1, 2, 3, 4, 5]);
    const other = bytes.allocate(5);
    other.fill(0);
    bytes.moveBytes(memory, 1, 4, other, 2);
    expect([...other]).toEqual([0, 0, 2, 3, 4]);
    bytes.moveBytes(memory, 0, 4, memory, 1);
    expect([...memory]).toEqual([1, 1, 2, 3, 4]);
  });
});

describe('memory', () => {
  it("is Node's Buffer where there is one", async () => {
    const { allocate } = await loadWithout('nothing of it', loadBytes);
    expect(Buffer.isBuffer(allocate(1))).toBe(true);
  });
});

describe('slices', () => {
  const load = () => import('../../src/prom/page/slices.js');

  afterEach(() => vi.restoreAllMocks());

  it.each(['setImmediate', 'nothing of it'])(
    'without %s let the event loop run',
    async (missing) => {
      const { Slices } = await loadWithout(missing, load);
      const slices = new Slices();
      let turned = false;
      setTimeout(() => {
        turned = true;
      });
      // A turn may be over before the timer's millisecond is.
      for (let turns = 0; !turned && turns < 1e5; turns++) await slices.next();
      expect(turned).toBe(true);
    },
    2000,
  );

  it('are not held up by timers that a host has faked since', async () => {
    const { Slices } = await loadWithout('nothing of it', load);
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] });
    try {
      await new Slices().next();
    } finally {
      vi.useRealTimers();
    }
  }, 2000);

  it('are due after 2 ms, counted from the last turn', async () => {
    const { Slices } = await loadWithout('nothing of it', load);
    let now = 10;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const slices = new Slices();
    const due = [10, 11.9, 12, 12.1].map((time) => {
      now = time;
      return slices.due();
    });
    expect(due).toEqual([false, false, true, true]);
    await slices.next();
    expect(slices.due()).toBe(false);
    now += 2;
    expect(slices.due()).toBe(true);
  });
});
