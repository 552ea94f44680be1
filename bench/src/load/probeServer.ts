import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Percentiles } from './percentiles.ts'

/** What a server's process measures of itself. */
export type ServerState = {
  /** How late its event loop is, milliseconds, since the last reset. */
  delay: Percentiles
  /** Processor time of all its threads since its start. */
  cpuMicroseconds: number
  /** Bytes: what the system counts as resident, and what lives on the heap and outside of it for the heap's objects. */
  memory: { rss: number; heap: number }
}

/** Queries a server of the stand that was started with the probe's `settings`. */
export type ServerProbe = {
  /** What `startStand` is to give to the server. */
  settings: Record<string, string>
  state(): Promise<ServerState>
  /** The state, after which the delays are counted from zero. */
  reset(): Promise<ServerState>
  /** Collects all garbage before it answers. */
  collect(): Promise<ServerState>
}

/** Prepares a probe: a file that the server loads before itself, and the socket on which it answers. */
export function createServerProbe(): ServerProbe {
  const socketPath = join(tmpdir(), `firmquote-probe-${process.pid}-${Math.random().toString(36).slice(2)}.sock`)
  const file = new URL('./serverProbe.ts', import.meta.url).href
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
    settings: { NODE_OPTIONS: `--import=${file}`, FIRMQUOTE_PROBE_SOCKET: socketPath },
    state: () => ask('/'),
    reset: () => ask('/reset'),
    collect: () => ask('/collect'),
  }
}
