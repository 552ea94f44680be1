import type { Browser, CDPSession, Page } from 'playwright-core'
import { settled } from './pageActions.ts'

/** How a page came up: milliseconds from the start of the navigation, a layout shift without a unit, bytes as they were sent. */
export type Load = { largestPaintMs: number; layoutShift: number; scriptBytes: number; requests: number }

/** A phone on a slow mobile network, as the web's measuring tools have it: 1.6 Mbit/s, 150 ms there and back, a slow processor. */
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const
const slow4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }
const cpuSlowdown = 4

/** Opens an address on such a phone, in a profile that has never seen it, until everything that it waits for has come. */
export async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', slow4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    const sent = watchTransfers(devtools)
    await page.addInitScript(watchPaints)
    await page.goto(url)
    await settled(page)
    await page.waitForLoadState('networkidle')
    const painted = await page.evaluate(() => (globalThis as unknown as Watched).painted)
    return { ...painted, ...sent() }
  } finally {
    await context.close()
  }
}

/**
 * Bytes that the page's objects and texts take, once what it no longer needs has been collected. Without compiled code: the engine compiles
 * functions that have run often, for the first half an hour or so, and this would hide what a page keeps. What the process takes says
 * even less: tools that watch a page, as tests do, keep the body of every answer there.
 */
export async function heapBytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  const parts: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk))
  await devtools.send('HeapProfiler.enable')
  // What the first round sets free may hold more.
  for (let round = 0; round < 3; round += 1) await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await devtools.detach()
  const { snapshot, nodes } = JSON.parse(parts.join('')) as HeapSnapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const code = types[type]?.indexOf('code')
  let bytes = 0
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (nodes[node + type] !== code) bytes += nodes[node + size] ?? 0
  }
  return bytes
}

/** What is read of a snapshot of V8's heap: the nodes are a flat list, with as many numbers each as there are fields. */
type HeapSnapshot = { snapshot: { meta: { node_fields: string[]; node_types: string[][] } }; nodes: number[] }

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** What has been sent so far, headers and compression included. */
function watchTransfers(devtools: CDPSession): () => Pick<Load, 'scriptBytes' | 'requests'> {
  const scripts = new Set<string>()
  let [scriptBytes, requests] = [0, 0]
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'text/javascript') scripts.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    requests += 1
    if (scripts.has(requestId)) scriptBytes += encodedDataLength
  })
  return () => ({ scriptBytes, requests })
}

type Watched = { painted: Pick<Load, 'largestPaintMs' | 'layoutShift'> }

/** Runs in the page, before its own scripts. A shift within half a second of a press is expected, and none is pressed here. */
function watchPaints(): void {
  const painted = { largestPaintMs: 0, layoutShift: 0 }
  Object.assign(globalThis, { painted } satisfies Watched)
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) painted.largestPaintMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) painted.layoutShift += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}
