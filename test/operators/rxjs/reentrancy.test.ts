/** What happens while a value, an end or a record is being handled, compared with plain `defer` + `tap`. */
import type { Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { playBoth, type Scenario } from './rivals.js';
import { boom, consumer, final, type HandSource, handSource, other, type Reactions, token } from './stage.js';

type Act = (source: HandSource, subscription: Subscription) => void;

const acts: Readonly<Record<string, Act>> = {
  unsubscribes: (_source, subscription) => subscription.unsubscribe(),
  'makes the source send': ({ to }) => to.next(other),
  'makes the source finish': ({ to }) => to.next(final),
  'makes the source fail': ({ to }) => to.error(boom),
  'makes the source complete': ({ to }) => to.complete(),
  'makes the source unsubscribe': ({ to }) => to.unsubscribe(),
};

const ends: Readonly<Record<string, Act>> = {
  'a finish': ({ to }) => to.next(final),
  'an error': ({ to }) => to.error(boom),
  completion: ({ to }) => to.complete(),
  'an unsubscribe': (_source, subscription) => subscription.unsubscribe(),
  'an unsubscribe by the source itself': ({ to }) => to.unsubscribe(),
};

const cases = Object.keys(acts).flatMap((act) => Object.keys(ends).map((end) => [act, end] as const));

/** Does `act` once, when `when` happens for the first time. */
function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

function scenario(act: Act, end: Act, place: 'record' | keyof Reactions): Scenario {
  return (operator, stage) => {
    const source = handSource(stage);
    const react = once(() => act(source, subscription));
    const reactions: Reactions = place === 'record' ? {} : { [place]: react };
    const subscription = source.values.pipe(operator).subscribe(consumer(stage, reactions));
    source.to.next(token);
    if (place === 'record') stage.hook = react;
    end(source, subscription);
    source.to.next(other);
    subscription.unsubscribe();
    stage.log.push(`closed ${subscription.closed} ${source.to.closed}`);
  };
}

describe.each(['record', 'next', 'error', 'complete'] as const)('while the %s is under way', (place) => {
  it.each(cases)('does as plain defer and tap do: the consumer %s at %s', (act, end) => {
    const { ours, plain } = playBoth(scenario(acts[act]!, ends[end]!, place));
    expect(ours).toEqual(plain);
    expect(ours.reasons).toHaveLength(1);
  });
});
