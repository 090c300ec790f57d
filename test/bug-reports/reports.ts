/** The public bug reports that the tests of this folder answer: titles by id, by the file that answers them. */
export const REPORTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'abort-accounting': {
    B01: 'Abort bucket of the finished-request counter stays at zero',
    B03: 'Engine-initiated aborts (pause/sleep) arrive as bare outputs with the optional fields missing',
    B04: 'Abort signals are counted instead of terminal outcomes, and cancels look like successes',
    B06: 'No failure count, so a success ratio cannot be computed',
  },
  'terminal-exactly-once': {
    B08: 'Both the abort and the normal-end callback run for one aborted stream',
    B09: 'A stream that ended normally is reported as aborted because the reader closes it after the last item',
    B10: 'Corrupted (NaN logits) requests: needs one count per request',
  },
  'clock-and-duration': {
    B11: 'Requests aborted in the queue produce durations computed from unset timestamps',
    B12: 'Arrival stamped with the wall clock, outputs with a monotonic clock: hugely negative TTFT and e2e',
    B14: 'A "queued" metric that really spans everything up to the first token',
  },
  preemption: {
    B15: 'First-token and inter-token sums counted again after a preemption',
    B17: 'Recomputed tokens after preemption counted as prefix-cache hits',
  },
  'empty-output-and-chunked-prefill': {
    B18: 'Zero-token finish outputs create bogus first-token and inter-token samples',
    B20: 'Tokens-per-step histogram lumps a chunked prefill into one sample',
    B21: 'First-token time equals total time on some routes',
  },
  'multi-token-and-spec-decode': {
    B22: 'Accepted draft tokens exceed the tokens really emitted when a stop token falls inside the accepted run',
  },
  'invalid-numbers': {
    B24: 'Prefill statistics reported again after preemption drive a by-source counter negative',
    B25: 'One negative increment throws and takes down every in-flight stream',
    B27: 'NaN: histogram throws and crashes, counter is poisoned for good',
    B28: 'KV-cache usage gauge shows -0.3875',
  },
  'parallel-sampling-and-params': {
    B29: 'With n > 1 most per-request metrics count children, two count the parent',
    B31: 'What to report when max_tokens is not set',
  },
  'lora-state': {
    B32: 'LoRA bookkeeping raises on preemption, resume or double finish and kills the output loop',
    B34: 'The LoRA info gauge piles up stale label combinations',
    B35: 'Adapters listed as both running and waiting; idle adapters vanish',
  },
  'engine-label': {
    B36: 'Several data-parallel engines behind one frontend: metrics broken or merged',
  },
  'stale-gauge': {
    B39: 'Running, waiting and cache gauges freeze at peak after all requests are cancelled',
    B41: 'Sleep and wake state is not visible next to the other metrics',
  },
  'registry-lifecycle': {
    B42: 'Hot reload, a second import or a test rerun throws "already registered"',
    B44: 'Two copies of the client library: metrics land in a registry nobody serves',
    B45: 'Custom registry option accepted but some metrics still go to the default one',
    B46: 'Two instances in one process: duplicate registration at start, or the first disposal breaks the second',
    B48: 'Default labels of the host registry meet our own labels',
  },
  'exposition-and-names': {
    B49: 'Counter names change with the exposition format',
    B51: 'Upstream renames break every consumer',
    B52: 'Labelled series do not exist until first used, so the first event is invisible to rate and increase',
  },
  'cardinality-and-memory': {
    B54: 'Client-controlled label values grow the registry without bound',
    B56: 'Two different label sets share one store key',
  },
  'prom-client-handle-traps': {
    B57: 'Pre-resolved children are wrong when exemplars are switched on',
  },
  performance: {
    B59: 'Label hashing on every call; resolved children are not a fast path',
  },
  'multi-process': {
    B61: 'Gauges are summed across workers',
  },
  'rx-teardown': {
    B63: 'finalize callbacks run after the consumer has been told it is over',
    B65: 'Telling unsubscribe apart from complete and error (asked for since 2017)',
    B66: 'An exception in teardown escapes from unsubscribe and disturbs other teardowns',
  },
  'rx-subscription-state': {
    B67: 'Side effects run once per subscriber',
    B69: 'shareReplay keeps the source running after the last consumer left',
    B71: 'Re-entrant next reverses the order seen by whoever acts after forwarding',
  },
  'wanted-features': {
    B72: 'Fixed histogram buckets: too coarse below 0.3 s, once capped at 60 s',
  },
};
