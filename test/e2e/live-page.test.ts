/** The live page of `npm start` in a real browser: Debian's Chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExposition, sumOf } from '../../src/demo/page/data/exposition.js';
import { freePort } from '../support/free-port.js';
import { eventually, type Running, start } from './processes.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const QUIET = ['--disable-component-update', '--disable-sync'];

/** Names of the classes are uPlot's; the elements' ids are the page's own. */
const CHARTS = ['throughput', 'ttft', 'itl', 'e2e'];

let demo: Running;
let browser: Browser;
let url: string;
/** What the page said on the console, and what it threw. */
const complaints: string[] = [];

async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1240, height: 1500 }, ...options });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return page;
}

async function onMetrics(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  return sumOf(parseExposition(await (await fetch(`${url}/metrics`)).text()), name, labels);
}

/** How many different colours a canvas has; as text, since the page's types are not this program's. */
function coloursOf(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('${selector}');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0); // read the chart itself more than once, and the browser complains on the console
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`);
}

/** The figure of an element, without the commas. */
async function figure(page: Page, selector: string): Promise<number> {
  return Number((await page.locator(selector).first().textContent())!.replaceAll(',', ''));
}

describe.skipIf(!existsSync(CHROMIUM))('the live page', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    demo = start('npm', ['start', '--silent', '--', '--port', String(port), '--speed', '4'], {
      detached: true,
    });
    await eventually(async () => (await fetch(url)).ok || undefined, 60);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, ...QUIET] });
  });

  afterAll(async () => {
    await browser?.close();
    if (demo !== undefined) process.kill(-demo.child.pid!, 'SIGKILL');
  });

  it('draws its charts, the heat map and the preemptions', async () => {
    const page = await open();
    // Axes and grid alone are a handful of colours; the soft edges of lines bring many more.
    for (const id of CHARTS)
      await eventually(async () => ((await coloursOf(page, `#${id} canvas`)) > 20 ? true : undefined), 30);
    // The labels of the heat map are of one colour and its edges; cells are of as many as there are counts.
    await eventually(async () => ((await coloursOf(page, '#heat-map')) > 12 ? true : undefined), 30);
    expect(await page.locator('#preemptions .bar').count()).toBe(8);
    await eventually(
      async () => ((await page.locator('#finished tbody tr').count()) > 3 ? true : undefined),
      30,
    );
    await page.close();
  });

  it('shows the figures of /metrics', async () => {
    const page = await open();
    await fetch(`${url}/api/load`, {
      method: 'POST',
      body: '{"rate":0}',
      headers: { 'content-type': 'application/json' },
    });
    // With no load the fleet comes to rest, and both stand still.
    await eventually(
      async () => ((await onMetrics('vllm:num_requests_running')) === 0 ? true : undefined),
      90,
    );
    await eventually(async () => {
      for (const reason of ['stop', 'length', 'abort', 'error']) {
        const shown = await figure(page, `#finished-${reason}`);
        if (shown !== (await onMetrics('vllm:request_success_total', { finished_reason: reason })))
          return undefined;
      }
      return true;
    }, 20);
    const tiles = await page.locator('.tile').allTextContents();
    expect(tiles.find((text) => text.includes('requests running'))).toBe('0requests running');
    expect(await figure(page, '.tile:last-child b')).toBe(await onMetrics('vllm:request_success_total'));
    await page.close();
  });

  it('sends a prompt, and stopping it in mid-stream is one abort more', async () => {
    const page = await open();
    const aborts = () => onMetrics('vllm:request_success_total', { finished_reason: 'abort' });
    const before = await aborts();
    await page.click('#send');
    await page
      .locator('#answer')
      .filter({ hasText: /\w+ \w+/ })
      .waitFor();
    await page.click('#stop');
    await page.locator('#play-state').filter({ hasText: 'stopped' }).waitFor();
    await eventually(async () => ((await aborts()) === before + 1 ? true : undefined), 10);
    await eventually(
      async () => ((await figure(page, '#finished-abort')) === before + 1 ? true : undefined),
      10,
    );
    await page.close();
  });

  it('adds, kills, restarts and removes an engine', async () => {
    const page = await open();
    const row = page.locator('#engines tr[data-engine="2"]');
    await page.click('#add-engine');
    await row.waitFor();
    expect(await onMetrics('vllm:engine_sleep_state', { engine: '2', sleep_state: 'awake' })).toBe(1);
    await row.getByText('Kill').click();
    await row.locator('.state.dead').waitFor();
    await row.getByText('Restart').click();
    await row.locator('.state.running').waitFor();
    await row.getByText('Remove').click();
    await row.waitFor({ state: 'detached' });
    expect(await onMetrics('vllm:engine_sleep_state', { engine: '2' })).toBe(0);
    await page.close();
  });

  it('moves the load', async () => {
    const page = await open();
    await page.locator('#load').fill('7');
    const load = async () =>
      ((await (await fetch(`${url}/api/fleet`)).json()) as { load: { rate: number } }).load;
    await eventually(async () => ((await load()).rate === 7 ? true : undefined), 5);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'is readable on a phone, without a sideways scroll: %s',
    async (colorScheme) => {
      const page = await open({ viewport: { width: 390, height: 844 }, colorScheme });
      await page.locator('.uplot').first().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(390);
      await page.close();
    },
  );

  it('says nothing on the console in all of that', () => {
    expect(complaints).toEqual([]);
  });
});
