import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Where the attacker sends its reads from, and how many of them a second. `{n}` in a path is a number that counts up. */
export type ReadsSetup = { url: string; localAddress: string; paths: readonly string[]; perSecond: number }

/** The number of answers by status; 0 counts failed connections. */
export type ReadsReport = { statuses: Record<number, number> }

// Runs in a worker thread. Sends reads at a constant rate, regardless of answers, until the parent sends a message.

const { url, localAddress, paths, perSecond } = workerData as ReadsSetup
const agent = new Agent({ keepAlive: true, maxSockets: 500 })
const report: ReadsReport = { statuses: {} }
const startedAt = performance.now()
// Every number has five digits, so that it can complete a Unix time.
let sent = 10_000

const count = (status: number) => {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
}

function send(): void {
  sent += 1
  const path = paths[sent % paths.length] ?? ''
  get(url + path.replace('{n}', String(sent)), { agent, localAddress, family: 4 }, (response) => {
    response.resume().on('end', () => count(response.statusCode ?? 0))
    response.on('error', () => count(0))
  }).on('error', () => count(0))
}

const sending = setInterval(() => {
  const due = 10_000 + ((performance.now() - startedAt) * perSecond) / 1_000
  while (sent < due) send()
}, 5)

parentPort?.once('message', () => {
  clearInterval(sending)
  agent.destroy()
  parentPort?.postMessage(report)
})
