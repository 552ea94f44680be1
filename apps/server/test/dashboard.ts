import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { deployFolder } from './alertRules.ts'

const datasource = z.strictObject({ type: z.string(), uid: z.string() })
const shape = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.int().min(36),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.int(),
      type: z.enum(['row', 'timeseries', 'stat']),
      title: z.string(),
      gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      datasource: datasource.optional(),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
      targets: z
        .array(z.strictObject({ refId: z.string(), datasource, expr: z.string(), legendFormat: z.string() }))
        .optional(),
    }),
  ),
})

/** The parts of `grafana-dashboard.json` that tests use. */
export type Dashboard = z.infer<typeof shape>

/** Reads the dashboard. */
export function dashboard(): Dashboard {
  return shape.parse(JSON.parse(readFileSync(new URL('grafana-dashboard.json', deployFolder), 'utf8')))
}

/**
 * Returns the dashboard's queries as Grafana sends them for all instances, with a rate interval of one minute.
 */
export function dashboardQueries(): { title: string; expr: string; unit: string }[] {
  const { panels, annotations } = dashboard()
  const asked = (expr: string) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
  return [
    ...panels.flatMap(({ title, targets = [], fieldConfig }) =>
      targets.map(({ expr }) => ({ title, expr: asked(expr), unit: fieldConfig?.defaults.unit ?? '' })),
    ),
    ...annotations.list.map(({ name, expr }) => ({ title: name, expr: asked(expr), unit: '' })),
  ]
}
