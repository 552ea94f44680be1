import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

/** The folder of files for operators. */
export const deployFolder = new URL('../deploy/', import.meta.url)

const shape = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
})

/** A rule in `alerts.yml`. */
export type AlertRule = z.infer<typeof shape>['groups'][number]['rules'][number]

/** Returns the rules in `alerts.yml` in order. */
export function alertRules(): AlertRule[] {
  const text = readFileSync(new URL('alerts.yml', deployFolder), 'utf8')
  return shape.parse(parse(text)).groups.flatMap(({ rules }) => rules)
}
