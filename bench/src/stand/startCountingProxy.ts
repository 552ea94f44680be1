import { once } from 'node:events'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What has passed between a client and a node. */
export type Passed = {
  requests: number
  /** Requests that are under way at the same time are one round trip: one wait. */
  roundTrips: number
}

/** A proxy in front of a node that counts what passes. */
export type CountingProxy = { url: string; passed(): Passed; reset(): void; close(): Promise<void> }

/** Passes every request on as it is. */
export async function startCountingProxy(rpcUrl: string): Promise<CountingProxy> {
  let passed: Passed = { requests: 0, roundTrips: 0 }
  let underWay = 0
  const agent = new Agent({ keepAlive: true })
  const proxy = createServer((request, response) => {
    passed.requests += 1
    if (underWay === 0) passed.roundTrips += 1
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
    const { 'content-length': length, 'content-type': type = 'application/json' } = request.headers
    const headers = { 'content-type': type, ...(length !== undefined && { 'content-length': length }) }
    const onward = sendRequest(rpcUrl, { method: 'POST', headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
      answer.pipe(response)
    })
    onward.once('error', () => response.destroy())
    request.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    passed: () => passed,
    reset: () => {
      passed = { requests: 0, roundTrips: 0 }
    },
    async close() {
      proxy.close()
      proxy.closeAllConnections()
      agent.destroy()
      await once(proxy, 'close')
    },
  }
}
