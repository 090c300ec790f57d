import { Observable, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { eventStream, type ServerEvent } from '../../../src/demo/frontend/http.js';

it('sends named events and messages, and ends with its source', async () => {
  const source = new Subject<ServerEvent>();
  const response = eventStream(source);
  source.next({ name: 'fleet', data: '{}' });
  source.next({ data: '[DONE]' });
  source.complete();
  expect(await response.text()).toBe('event: fleet\ndata: {}\n\ndata: [DONE]\n\n');
});

it('leaves its source as soon as nobody reads', async () => {
  let isLeft = false;
  const source = new Observable<ServerEvent>(() => () => {
    isLeft = true;
  });
  await eventStream(source).body!.cancel();
  expect(isLeft).toBe(true);
});

it('drops events for a reader that does not keep up, rather than keep them all', async () => {
  const source = new Subject<ServerEvent>();
  const response = eventStream(source, { dropsWhenSlow: true });
  for (let i = 0; i < 1000; i++) source.next({ data: String(i) });
  source.complete();
  const kept = Array.from({ length: 16 }, (_, i) => `data: ${i}\n\n`);
  expect(await response.text()).toBe(kept.join(''));
});

it('keeps all events of a source that has an end', async () => {
  const source = new Subject<ServerEvent>();
  const response = eventStream(source);
  for (let i = 0; i < 1000; i++) source.next({ data: String(i) });
  source.complete();
  expect((await response.text()).match(/data: /g)).toHaveLength(1000);
});
