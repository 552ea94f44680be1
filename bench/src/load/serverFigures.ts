import type { Percentiles } from '../figures.ts'
import type { ServerProbe } from './serverProbe.ts'

/** What is known of the server itself after a load. */
export type ServerFigures = {
  delay?: Percentiles
  /** Memory and processor time, in words. */
  lines: string[]
}

const mebibyte = 1_048_576

/** Begins to watch a server; the answer ends it and says what was seen. */
export type ServerWatch = () => Promise<ServerFigures>

/** Watches a server of our own through its probe. */
export async function watchProbe(probe: ServerProbe): Promise<ServerWatch> {
  const before = await probe.reset()
  return async () => {
    const { delay, memory, cpuMicroseconds } = await probe.state()
    const cpuSeconds = (cpuMicroseconds - before.cpuMicroseconds) / 1e6
    return {
      delay,
      lines: [
        `memory of the server: ${mib(memory.rss)} MiB resident, ${mib(memory.heap)} MiB heap (before: ${mib(before.memory.rss)} and ${mib(before.memory.heap)})`,
        `processor time of the server: ${cpuSeconds.toFixed(1)} s`,
      ],
    }
  }
}

/** Watches any server by its `/metrics`, whose delays are coarser: its timer's 10 ms are in them. */
export async function watchMetrics(url: string): Promise<ServerWatch> {
  // Reading them begins a new count of the delays.
  await fetchMetrics(url)
  return async () => {
    const metrics = await fetchMetrics(url)
    if (!metrics) return { lines: ['the server shows no /metrics, so its event loop and memory are not known'] }
    const value = (name: string) => metrics.get(name) ?? Number.NaN
    const lag = (name: string) => Math.max(0, value(`nodejs_eventloop_lag_${name}_seconds`) * 1_000 - 10)
    return {
      // prom-client has no 95th percentile of it.
      delay: { count: 0, p50: lag('p50'), p95: Number.NaN, p99: lag('p99'), max: lag('max') },
      lines: [
        `memory of the server: ${mib(value('process_resident_memory_bytes'))} MiB resident, ${mib(value('nodejs_heap_size_used_bytes'))} MiB heap`,
      ],
    }
  }
}

async function fetchMetrics(url: string): Promise<Map<string, number> | undefined> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined)
  if (!answer?.ok) return undefined
  const lines = (await answer.text()).matchAll(/^(\w+) (\S+)$/gm)
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]))
}

function mib(bytes: number): string {
  return (bytes / mebibyte).toFixed(0)
}
