import type { Browser, Page, Request } from 'playwright-core'
import { settled } from './pageActions.ts'

/** A slow phone on a slow mobile network (1.6 Mbit/s, 150 ms round-trip time), the profile used by common web tools. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const slow4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }

/** Opens an address on a simulated phone, in a new profile, and waits until everything has loaded. */
export async function measureLoad(browser: Browser, url: string) {
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
    /** Total compressed transfer size of the scripts, including headers. */
    const scriptBytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0)
    return { ...(await paintsOf(page)), scriptBytes, requests: finished.length }
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
