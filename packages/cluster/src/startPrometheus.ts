import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPrometheus } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { startOwnProcess } from './ownProcess.ts'

/** A Prometheus of one's own, on 127.0.0.1. */
export type Prometheus = {
  url: string
  /** Which alerts fire, each with the instance that it is of; null for one that is of none. */
  firing(): Promise<{ alert: string; instance: string | null; summary: string }[]>
  /** What it answers to a question now: how many series, and whether each has a number. */
  ask(expr: string): Promise<{ value: number }[]>
  stop(): Promise<void>
}

/** What it reads. */
export type PrometheusOptions = {
  /** Made if need be. */
  folder: string
  /** The text of its configuration, and of the files beside it by their names. */
  configuration: string
  files?: Readonly<Record<string, string>>
}

const startLimitMs = 10_000

/**
 * Starts `prometheus`.
 *
 * @throws {Error} when there is none, or it does not start; the message has what it wrote.
 */
export async function startPrometheus({ folder, configuration, files = {} }: PrometheusOptions): Promise<Prometheus> {
  const programs = findPrometheus()
  if (!programs) throw new Error('There is no Prometheus on this machine.')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ ...files, 'prometheus.yml': configuration })) {
    writeFileSync(join(folder, name), text)
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const own = startOwnProcess(join(programs, 'prometheus'), flags, {}, folder)
  let hasEnded = false
  void own.ended.then(() => {
    hasEnded = true
  })
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + startLimitMs; !(await isReady()); await sleep(20)) {
    if (hasEnded || Date.now() > end) {
      await own.kill('SIGKILL')
      throw new Error(`Prometheus has not started:\n${own.output()}`)
    }
  }

  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: Data; error?: string }
    if (!response.ok) throw new Error(`Prometheus has refused ${path}: ${error}`)
    return data
  }
  return {
    url,
    async firing() {
      const { alerts } = await get<{ alerts: RunningAlert[] }>('alerts')
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({
          alert: labels.alertname,
          instance: labels.instance ?? null,
          summary: annotations.summary ?? '',
        }))
    },
    async ask(expr) {
      const { result } = await get<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(expr)}`)
      return result.map(({ value }) => ({ value: Number(value[1]) }))
    },
    stop: () => own.kill('SIGKILL'),
  }
}

type RunningAlert = {
  state: string
  labels: { alertname: string; instance?: string }
  annotations: { summary?: string }
}
