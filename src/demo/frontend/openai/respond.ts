import { Observable } from 'rxjs';
import { ApiError } from '../api-error.js';
import { eventStream, type ServerEvent } from '../http.js';
import type { Answer } from './answer.js';
import type { Generation } from './generation.js';

/** The answer as a stream of chunks; a failure is the last of them. */
export function streamedResponse(generation: Generation, answer: Answer): Response {
  return eventStream(
    new Observable<ServerEvent>((subscriber) => {
      const send = (chunks: readonly object[]) => {
        for (const chunk of chunks) subscriber.next({ data: JSON.stringify(chunk) });
      };
      const end = (chunks: readonly object[]) => {
        send(chunks);
        subscriber.next({ data: '[DONE]' });
        subscriber.complete();
      };
      send(answer.openings());
      return follow(generation, answer, {
        event: (event) => send(answer.chunks(event)),
        end: () => end(answer.closing()),
        failed: (error) => end([error.body]),
      });
    }),
  );
}

/** The answer as one object, once all of it is there. @throws {ApiError} 500 if an engine fails. */
export function wholeResponse(
  generation: Generation,
  answer: Answer,
  hasLeft: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const leave = follow(generation, answer, {
      event: () => {},
      end: () => resolve(Response.json(answer)),
      failed: reject,
    });
    const left = () => {
      leave();
      reject(new ApiError(400, 'The client has left'));
    };
    if (hasLeft.aborted) left();
    else hasLeft.addEventListener('abort', left, { once: true });
  });
}

interface Follower {
  event(event: Parameters<Answer['add']>[0]): void;
  end(): void;
  failed(error: ApiError): void;
}

/** Returns how to leave. */
function follow({ events }: Generation, answer: Answer, follower: Follower): () => void {
  let hasFailed = false;
  const subscription = events.subscribe({
    next: (event) => {
      if (hasFailed) return;
      try {
        answer.add(event);
      } catch (error) {
        hasFailed = true;
        // A turn later: the batch that brought the failure may bring tokens for other choices too.
        setImmediate(() => subscription.unsubscribe());
        follower.failed(error as ApiError); // add() throws nothing else
        return;
      }
      follower.event(event);
    },
    complete: () => {
      if (!hasFailed) follower.end();
    },
  });
  return () => {
    if (!hasFailed) subscription.unsubscribe();
  };
}
