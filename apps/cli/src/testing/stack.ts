import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RFQ, secondsPerYear } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { bytesToHex, zeroAddress } from 'viem'

/** A chain, a server on it and two backers that answer every RFQ, all real. */
export type Stack = { devnet: Devnet; url: string; folder: string; stop(): Promise<void> }

const startTimeoutMs = 20_000

/** Starts the whole of it; auctions last 1.5 seconds. */
export async function startStack(): Promise<Stack> {
  const devnet = await startDevnet()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-cli-'))
  const { server, url } = await startServer(devnet, folder)
  const clients = await Promise.all([
    startBacker(url, devnet, 0, { percent: 7n, delayMs: 50 }),
    startBacker(url, devnet, 1, { percent: 6n, delayMs: 400 }),
  ])
  return {
    devnet,
    url,
    folder,
    async stop() {
      for (const client of clients) client.disconnectWebSocket()
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
      await devnet.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startServer(devnet: Devnet, folder: string): Promise<{ server: ChildProcess; url: string }> {
  const main = fileURLToPath(new URL('./main.js', import.meta.resolve('@firmquote/server')))
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RPC_URL: devnet.rpcUrl,
      DATA_DIR: join(folder, 'data'),
      AUCTION_DURATION_MS: '1500',
      RFQS_PER_MINUTE: '1000',
      OPEN_RFQS: '20',
      LOG_LEVEL: 'warn',
      // This chain mines on transactions only, so its newest block may be old.
      HEAD_DEGRADED_SECONDS: '3600',
      HEAD_STALE_SECONDS: '3600',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError(`the server does not start:\n${output}`)), startTimeoutMs)
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const ready = /^ready (http:\/\/\S+)$/m.exec(output)?.[1]
        if (ready === undefined) return
        clearTimeout(timer)
        resolve(ready)
      })
    }
    server.once('exit', () => reject(new TypeError(`the server ended:\n${output}`)))
  })
  return { server, url }
}

/** Answers every RFQ at a fixed APR, unless that costs more than the borrower will pay. */
async function startBacker(
  url: string,
  devnet: Devnet,
  index: 0 | 1,
  { percent, delayMs }: { percent: bigint; delayMs: number },
): Promise<ServiceClient> {
  const client = new ServiceClient({ orderbookUrl: url })
  client.setPrivateKey(devnet.backers[index].privateKey)
  const answer = async (rfq: RFQ) => {
    const now = Math.floor(Date.now() / 1000)
    const vrtAmount = (rfq.notional * percent * BigInt(rfq.expiry - now)) / (100n * BigInt(secondsPerYear))
    if (rfq.maxVrtAmount !== undefined && vrtAmount > rfq.maxVrtAmount) return
    await socket.submitQuote(rfq.rfqId, {
      maker: devnet.backers[index].address,
      taker: rfq.taker ?? zeroAddress,
      poolId: rfq.poolId,
      seriesKey: rfq.seriesKey,
      notional: rfq.notional,
      vrtAmount,
      nonce: 0n,
      deadline: BigInt(now + 600),
      salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    })
  }
  const socket = await client.connectWebSocket({
    onRFQ: (rfq) => {
      // Auctions that are given up close without an answer.
      setTimeout(() => answer(rfq).catch(() => {}), delayMs).unref()
    },
  })
  return client
}
