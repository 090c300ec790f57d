import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileAll, temporaryFolder } from '../../support/compile.js';

const folder = temporaryFolder('copies');
let steps: Record<string, unknown>;

beforeAll(() => {
  compileAll(folder.path);
  const child = join(import.meta.dirname, 'two-copies.child.mjs');
  steps = JSON.parse(execFileSync(process.execPath, [child, folder.path], { encoding: 'utf8' }));
}, 60_000);
afterAll(() => folder.remove());

describe('an ES module and a CommonJS copy on one registry', () => {
  it('are two copies', () => {
    expect(steps['differentClasses']).toBe(true);
  });

  it('share the families', () => {
    expect(steps['registered']).toBe(steps['families']);
  });

  it('add up in the same series, counters and histograms', () => {
    expect([steps['success'], steps['observed']]).toEqual([2, 2]);
  });

  it('share the in-flight gauge and the LoRA series', () => {
    expect(steps['inFlight']).toBe(2);
    expect(steps['lora']).toEqual([
      'vllm:lora_requests_info{running_lora_adapters="",waiting_lora_adapters="a,b"}',
    ]);
  });

  it('know which engines are removed: live requests of both end, each brings it back for both', () => {
    expect(steps['removed']).toEqual([null, 2]);
    expect([steps['inFlightAfterRemoved'], steps['back']]).toEqual([null, 4]);
  });

  it('take a parent of either', () => {
    expect(steps['n']).toBe(2);
  });

  it('keep what the other one shares when one is disposed', () => {
    expect(steps['afterFirst']).toEqual([6, 1, 1]);
  });

  it('see a conflict with the other one', () => {
    expect(steps['conflict']).toBe('vllm:request_params_n: expected buckets 1, got 1, 2, 5, 10, 20');
  });

  it('render what the other one made', () => {
    expect(steps['page']).toBe(true);
  });

  it('leave nothing behind', () => {
    expect(steps['left']).toBe(0);
  });
});
