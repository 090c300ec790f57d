/** A request of the reader's own, which can be stopped in mid-stream: the page then shows one abort more. */
import { byId, write } from './draw/dom.js';

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly error?: { readonly message: string };
}

/** The text of each event of a chat completion, as it comes. */
async function* textsOf(prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  const body = {
    model: byId('play').dataset['model'],
    messages: [{ role: 'user', content: prompt }],
    stream: true,
    max_tokens: 400,
  };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || response.body === null)
    throw new Error((JSON.parse(await response.text()) as Chunk).error?.message ?? response.statusText);
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: {')) yield textOf(JSON.parse(line.slice(6)) as Chunk);
  }
}

function textOf({ choices, error }: Chunk): string {
  if (error !== undefined) throw new Error(error.message);
  return choices?.[0]?.delta?.content ?? '';
}

export class PlayBox {
  readonly #send = byId<HTMLButtonElement>('send');
  readonly #stop = byId<HTMLButtonElement>('stop');
  readonly #answer = byId('answer');
  readonly #state = byId('play-state');
  #request: AbortController | undefined;

  constructor() {
    byId('play').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#run(byId<HTMLTextAreaElement>('prompt').value);
    });
    this.#stop.addEventListener('click', () => this.#request?.abort());
  }

  async #run(prompt: string): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    this.#busy(true);
    write(this.#answer, '');
    try {
      let chunks = 0;
      for await (const text of textsOf(prompt, request.signal)) {
        this.#answer.append(text);
        this.#answer.scrollTop = this.#answer.scrollHeight;
        write(this.#state, `${++chunks} chunks`);
      }
      write(this.#state, `finished after ${chunks} chunks`);
    } catch (error) {
      write(this.#state, request.signal.aborted ? 'stopped: one abort more on the page' : String(error));
    }
    this.#busy(false);
  }

  #busy(isBusy: boolean): void {
    this.#send.disabled = isBusy;
    this.#stop.disabled = !isBusy;
  }
}
