/** Many requests on many engines against the reference: every family, buckets included, and the identities. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenIdentities } from './identities.js';
import { ScriptRun } from './run-script.js';
import { ENGINES, script } from './script.js';

const RUNS = 1000;

/** Not the reference's: their own tests have them. */
const ASIDE =
  /^(vllm:(lora_requests_info|admission_rejections_total)|rx_engine_metrics_(invalid_values_total|engine_last_step_timestamp_seconds))\{/u;

/** Samples that differ either way; one that is zero may be on one page alone. */
function differences(ours: ReadonlyMap<string, number>, reference: ReadonlyMap<string, number>): string[] {
  const keys = new Set([...ours.keys(), ...reference.keys()]);
  return [...keys]
    .filter((key) => !ASIDE.test(key))
    .filter((key) => (reference.has(key) ? ours.get(key) !== reference.get(key) : ours.get(key) !== 0))
    .map((key) => `${key}: ours ${ours.get(key)}, reference ${reference.get(key)}`);
}

it('records what the reference does, in any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (run) => {
      const { recorded, page, outputsWithTokens } = new ScriptRun(run).run();
      const samples = await recorded.samples();
      expect(differences(samples.all, page.samples())).toEqual([]);
      expect([...samples.all.keys()].filter((key) => key.startsWith('vllm:lora'))).toEqual([]);
      for (let engine = 0; engine < ENGINES; engine++) {
        if (samples.inFlight(engine) === undefined) continue;
        const parents = run.requests.some(({ isChild }) => isChild);
        const options = { omit: run.omit, parents, outputsWithTokens: outputsWithTokens[engine] ?? 0 };
        expect(brokenIdentities(samples, engine, options)).toEqual([]);
      }
      const total = Object.values(samples.invalidValues()).reduce((sum, n) => sum + n, 0);
      expect(total).toBe(recorded.diagnostics.length);
      expect(samples.invalidValues()).toEqual(page.invalid);
    }),
    { numRuns: RUNS },
  );
}, 120_000);
