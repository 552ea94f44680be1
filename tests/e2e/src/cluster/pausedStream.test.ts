import { ServiceClient } from '@firmquote/sdk'
import { afterEach, expect } from '@jest/globals'
import { seriesOf } from '../crashFixture.ts'
import { stopAfter } from '../stopAfter.ts'
import { beginFault } from './clusterFixture.ts'
import { startLoadedCluster, testOnCluster } from './clusterLoad.ts'

const auctionMs = 3_000
/** The client waits for 2 s after the close, then pauses briefly. The rest is for a busy machine. */
const mostLateMs = 3_500

const started = stopAfter(afterEach)

testOnCluster(
  'behavior: a borrower whose instance is paused receives done from another instance, 2 s after the close',
  async () => {
    const running = started(await startLoadedCluster(1, auctionMs))
    await running.allReady()
    const [paused, other] = running.instances
    if (!paused || !other) throw new TypeError('The cluster has no two instances.')
    // A load balancer sends calls to the first instance until it is paused.
    let { url } = paused
    const client = new ServiceClient(
      { orderbookUrl: running.url },
      { fetch: (input, init) => fetch(String(input).replace(running.url, url), init) },
    )
    const stream = client.streamQuotes({ ...seriesOf(running), notional: 250_000_000_000n })
    const { value: first } = await stream.next()
    expect(first?.type).toBe('started')
    const closesAt = performance.now() + auctionMs
    const resume = await beginFault(paused, { kind: 'pause', mode: 'hold' })
    url = other.url
    let lateMs = Number.NaN
    for await (const { type } of stream) if (type === 'done') lateMs = performance.now() - closesAt
    await resume()
    expect(lateMs).toBeGreaterThan(1_900)
    expect(lateMs).toBeLessThan(mostLateMs)
  },
  60_000,
)
