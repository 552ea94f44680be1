import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Percentiles } from '../figures.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

/** What a server's process measures of itself. */
export type ServerState = {
  /** How late its event loop is, milliseconds, since the last reset. */
  delay: Percentiles
  /** Processor time of all its threads since its start. */
  cpuMicroseconds: number
  /** Bytes: resident memory, and what is on the heap and outside it for the heap's objects. */
  memory: { rss: number; heap: number }
}

/** Queries a server that was started with the probe's `settings`. */
export type ServerProbe = {
  settings: Record<string, string>
  state(): Promise<ServerState>
  /** The state, after which the delays are counted from zero. */
  reset(): Promise<ServerState>
  /** The state after a collection of all garbage. */
  collect(): Promise<ServerState>
}

/** A stand whose server can be queried. */
export type LoadStand = Stand & { probe: ServerProbe; auctionMs: number }

/** Starts a stand with a number of funded makers and auctions of a given length. */
export async function startLoadStand({ makers, auctionMs }: { makers: number; auctionMs: number }): Promise<LoadStand> {
  const probe = createServerProbe()
  const settings = { AUCTION_DURATION_MS: String(auctionMs), ...probe.settings }
  return { ...(await startStand({ makers, settings })), probe, auctionMs }
}

/** Prepares a probe: a file that the server loads before itself, and the socket on which it answers. */
export function createServerProbe(): ServerProbe {
  const socketPath = join(tmpdir(), `firmquote-probe-${process.pid}-${Math.random().toString(36).slice(2)}.sock`)
  const file = new URL('./probe.ts', import.meta.url).href
  const ask = (path: string) =>
    new Promise<ServerState>((resolve, reject) => {
      request({ socketPath, path }, async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve(JSON.parse(text) as ServerState)
      })
        .on('error', reject)
        .end()
    })
  return {
    settings: {
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${file}`,
      FIRMQUOTE_PROBE_SOCKET: socketPath,
    },
    state: () => ask('/'),
    reset: () => ask('/reset'),
    collect: () => ask('/collect'),
  }
}
