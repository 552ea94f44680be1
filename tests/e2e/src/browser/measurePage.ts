import type { Browser, Page, Request } from 'playwright-core'
import { settled } from './pageActions.ts'

/** A slow phone on a slow mobile network (1.6 Mbit/s, 150 ms round-trip time), the profile used by common web tools. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const slow4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }

/**
 * Opens an address on a simulated phone, in a new profile, and waits until everything has loaded. Then measures the
 * slowest of the given interactions.
 */
export async function measureLoad(browser: Browser, url: string, interact: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', slow4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const finished: Request[] = []
    page.on('requestfinished', (request) => finished.push(request))
    await page.goto(url)
    await settled(page)
    await page.waitForLoadState('networkidle')
    const scripts = finished.filter((request) => new URL(request.url()).pathname.endsWith('.js'))
    const sizes = await Promise.all(scripts.map((request) => request.sizes()))
    /** Total compressed size of the scripts. */
    const scriptBytes = sizes.reduce((sum, size) => sum + size.responseBodySize, 0)
    const paints = await paintsOf(page)
    await page.evaluate(collectInputs)
    await interact(page)
    return { ...paints, interactionMs: await slowestInteraction(page), scriptBytes, requests: finished.length }
  } finally {
    await context.close()
  }
}

/** Reads the layout shift, and the largest contentful paint in milliseconds after navigation. */
export function paintsOf(page: Page): Promise<{ largestPaintMs: number; layoutShift: number }> {
  return page.evaluate(() => {
    const entriesOf = (type: string) => {
      const observer = new PerformanceObserver(() => {})
      observer.observe({ type, buffered: true })
      return observer.takeRecords()
    }
    const shifts = entriesOf('layout-shift') as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
    const own = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
    return {
      largestPaintMs: entriesOf('largest-contentful-paint').at(-1)?.startTime ?? 0,
      layoutShift: own.reduce((sum, { value }) => sum + value, 0),
    }
  })
}

/** Lists the elements and texts that have moved without any recent input, and their distances in pixels. */
export function movedIn(page: Page): Promise<string[]> {
  type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
  return page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    const shifts = observer.takeRecords() as (PerformanceEntry & { sources: Source[]; hadRecentInput: boolean })[]
    return shifts
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .flatMap(({ sources }) => sources)
      .map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return `${element?.outerHTML.slice(0, 80)} "${node?.textContent}" by ${to.x - from.x}, ${to.y - from.y}`
      })
  })
}

/** Runs in the page. Collects the durations of inputs, of which the browser itself keeps only slow ones. */
function collectInputs(): void {
  const inputs: number[] = []
  Object.assign(globalThis, { inputs })
  new PerformanceObserver((list) => {
    const events = list.getEntries() as (PerformanceEntry & { interactionId: number })[]
    inputs.push(...events.filter(({ interactionId }) => interactionId > 0).map(({ duration }) => duration))
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Reads the time in milliseconds from the slowest input so far to the frame that shows its effect. */
async function slowestInteraction(page: Page): Promise<number> {
  const slowest = await page.waitForFunction(() => {
    const { inputs } = globalThis as unknown as { inputs: number[] }
    return inputs.length > 0 && Math.max(...inputs)
  })
  return (await slowest.jsonValue()) || 0
}

/** Fields of a V8 heap snapshot that are used here. `nodes` is a flat list with one number per field of each node. */
type HeapSnapshot = { snapshot: { meta: { node_fields: string[]; node_types: string[][] } }; nodes: number[] }

/**
 * Measures the size in bytes of a page's objects and strings after garbage collection. Excludes compiled code, since
 * the engine keeps compiling hot functions for about half an hour, which would hide leaks. The process size is even
 * less useful, since an attached debugger retains every response body there.
 */
export async function heapBytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  const parts: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk))
  // The first garbage collection may free objects that retain others.
  for (let round = 0; round < 3; round += 1) await page.requestGC()
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
