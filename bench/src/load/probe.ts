// Loaded into the server's process before the server (`--import`): measures what only that process can. It listens on a
// Unix socket of its own. While it is not queried it costs one timer a millisecond.
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import type { ServerState } from './serverProbe.ts'

const path = process.env['FIRMQUOTE_PROBE_SOCKET']
const timerMs = 1

if (isMainThread && path !== undefined) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const delay = monitorEventLoopDelay({ resolution: timerMs })
  delay.enable()
  // The histogram holds the time from one tick of its timer to the next.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - timerMs)

  // The server ends by itself, without closing this.
  process.once('exit', () => rmSync(path, { force: true }))
  createServer((request, response) => {
    if (request.url === '/collect') for (let time = 0; time < 3; time += 1) collectGarbage()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const state: ServerState = {
      delay: {
        count: delay.count,
        p50: late(delay.percentile(50)),
        p95: late(delay.percentile(95)),
        p99: late(delay.percentile(99)),
        max: late(delay.max),
      },
      cpuMicroseconds: user + system,
      memory: { rss, heap: heapUsed + external },
    }
    if (request.url === '/reset') delay.reset()
    response.setHeader('connection', 'close').end(JSON.stringify(state))
  })
    .listen(path)
    .unref()
}
