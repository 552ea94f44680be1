import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quoteTypedData, serializeSignedQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { bytesToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** What so many quotes cost the node, and how long the last of them waited. */
export type RpcRequests = { quotes: number; together: number; alone: number; milliseconds: number }

/** Publishes quotes on the real server before a real devnet, and counts what passes between the two. */
export async function measureRpcRequests(sizes: readonly number[], rounds: number): Promise<RpcRequests[]> {
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-bench-'))
  const devnet = await startDevnet()
  const node = await startCountingProxy(devnet.rpcUrl)
  const server = await startServer(node.url, directory)
  try {
    const publish = async (body: string) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/api/v1/quotes`, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new TypeError(`A quote was refused: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    await publish((await signQuotes(devnet, 1))[0] ?? '')
    const results: RpcRequests[] = []
    for (const quotes of sizes) {
      const together: number[] = []
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const bodies = await signQuotes(devnet, quotes)
        node.reset()
        const started = performance.now()
        await Promise.all(bodies.map(publish))
        times.push(performance.now() - started)
        together.push(node.count())
      }
      const bodies = await signQuotes(devnet, quotes)
      node.reset()
      for (const body of bodies) await publish(body)
      results.push({ quotes, together: median(together), alone: node.count(), milliseconds: median(times) })
    }
    return results
  } finally {
    await server.stop()
    await node.close()
    await devnet.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function signQuotes({ chainId, contracts, backers, pools }: Devnet, count: number): Promise<string[]> {
  const [{ poolId, series }] = pools
  const deadline = BigInt(Math.floor(Date.now() / 1_000) + 3_600)
  const bodies: string[] = []
  for (let index = 0; index < count; index += 1) {
    const backer = backers[index % backers.length] ?? backers[0]
    const quote = {
      maker: backer.address,
      taker: zeroAddress,
      poolId,
      seriesKey: series[index % series.length]?.seriesKey ?? poolId,
      notional: 1_000_000n,
      vrtAmount: BigInt(index),
      nonce: 0n,
      deadline,
      salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    }
    const typedData = quoteTypedData(quote, { chainId, quoteMarket: contracts.quoteMarket })
    const signature = await privateKeyToAccount(backer.privateKey).signTypedData(typedData)
    bodies.push(JSON.stringify(serializeSignedQuote({ ...quote, signature })))
  }
  return bodies
}

/** Passes every request on, and counts. */
async function startCountingProxy(rpcUrl: string) {
  let requests = 0
  const proxy = createServer(async (request, response) => {
    requests += 1
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body: Buffer.concat(parts) })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new TypeError('The proxy has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    count: () => requests,
    reset: () => {
      requests = 0
    },
    async close() {
      proxy.close()
      proxy.closeAllConnections()
      await once(proxy, 'close')
    },
  }
}

/** Starts the server as an operator would. Its sync stands still meanwhile, so that only quotes are counted. */
async function startServer(rpcUrl: string, directory: string) {
  const main = fileURLToPath(new URL('./main.js', import.meta.resolve('@firmquote/server')))
  const quiet = {
    SYNC_INTERVAL_MS: '600000',
    HEAD_DEGRADED_SECONDS: '31536000',
    HEAD_STALE_SECONDS: '31536000',
    STORED_QUOTES_PER_MAKER: '100000',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', RPC_URL: rpcUrl, DATA_DIR: directory, ...quiet },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /^ready (\S+)$/m.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.on('exit', () => reject(new TypeError('The server did not start.')))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
