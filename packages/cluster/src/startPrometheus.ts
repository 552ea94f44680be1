import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPrometheus } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { createService } from './managedProcess.ts'

/** A Prometheus server on 127.0.0.1. */
export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

/** The folder (created if necessary), the configuration file's text, and the texts of additional files by name. */
type PrometheusOptions = { folder: string; configuration: string; files: Readonly<Record<string, string>> }

/**
 * Starts `prometheus`.
 *
 * @throws {Error} if it is not installed or does not start. The message includes its output.
 */
export async function startPrometheus({ folder, configuration, files }: PrometheusOptions) {
  const programs = findPrometheus()
  if (!programs) throw new Error('Prometheus is not installed.')
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
    if (!response.ok) throw new Error(`Prometheus rejected ${path}: ${error}`)
    return data
  }
  return {
    /** Returns the firing alerts. `instance` is null for an alert without one. */
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
    /** Evaluates an expression at the current time and returns its series. */
    async ask(expr: string): Promise<unknown[]> {
      return (await get<{ result: unknown[] }>(`query?query=${encodeURIComponent(expr)}`)).result
    },
    stop: () => service.process().kill('SIGKILL'),
  }
}

type Alert = { state: string; labels: { alertname: string; instance?: string }; annotations: { summary?: string } }
