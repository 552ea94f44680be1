import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPrometheus } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { createService } from './ownProcess.ts'

/** A Prometheus on 127.0.0.1. */
export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

/** Its folder, made if need be; the text of its configuration, and of the files beside it by their names. */
type PrometheusOptions = { folder: string; configuration: string; files: Readonly<Record<string, string>> }

/**
 * Starts `prometheus`.
 *
 * @throws {Error} when there is none, or it does not start; the message has what it wrote.
 */
export async function startPrometheus({ folder, configuration, files }: PrometheusOptions) {
  const programs = findPrometheus()
  if (!programs) throw new Error('There is no Prometheus on this machine.')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ ...files, 'prometheus.yml': configuration })) {
    writeFileSync(join(folder, name), text)
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const isReady = async () => (await fetch(`${url}/-/ready`)).ok
  const service = createService('Prometheus', { file: join(programs, 'prometheus'), args, cwd: folder }, isReady)
  await service.start()

  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`)
    const { data, error } = (await response.json()) as { data: Data; error?: string }
    if (!response.ok) throw new Error(`Prometheus has refused ${path}: ${error}`)
    return data
  }
  return {
    /** Which alerts fire, each with the instance that it is of; null for one that is of none. */
    async firing() {
      const { alerts } = await get<{ alerts: Alert[] }>('alerts')
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({
          alert: labels.alertname,
          instance: labels.instance ?? null,
          summary: annotations.summary ?? '',
        }))
    },
    /** The series that answer a question now. */
    async ask(expr: string): Promise<unknown[]> {
      return (await get<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`)).result
    },
    stop: () => service.process().kill('SIGKILL'),
  }
}

type Alert = { state: string; labels: { alertname: string; instance?: string }; annotations: { summary?: string } }
