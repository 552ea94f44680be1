import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrometheus } from '@firmquote/cluster/findPrograms'
import { codes } from '@firmquote/core'
import { tableRows } from '@firmquote/test-support/tableRows'
import { describe, expect, test } from '@jest/globals'
import { alertRules } from '../../test/alertRules.ts'
import { dashboard, dashboardQueries } from '../../test/dashboard.ts'
import { createScriptedService } from '../../test/scriptedService.ts'
import { createPromMetrics } from '../adapters/promMetrics.ts'
import { settings } from '../start/settings.ts'

// Checks that docs/metrics.md, the alerts, the dashboard and the incident pages refer only to existing metrics.

const { service } = createScriptedService()
const page = await createPromMetrics({
  build: { version: '1.0.0', commit: 'unknown' },
  limits: () => ({ OPEN_AUCTIONS: 200 }),
  threads: () => [{ thread: 'main', heapBytes: 1, heapLimitBytes: 2, cpuSeconds: 3, busySeconds: 4 }],
}).write({ ...(await service.figures()), sockets: { pending: 0, seated: 0 } })

/** All metrics with their types. */
const metrics = new Map([...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]))

/** Returns the names of registered metrics that a text mentions. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:firmquote|nodejs|process)_\w+/g)].map(([name]) => name)
  return names.map((name) => (metrics.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')))
}

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const incidents = 'apps/docs/operate/incidents/'
const pageOf = (alert: string) => alert.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()

const given = findPrometheus() ? test : test.skip
const promtool = (args: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync(join(findPrometheus() ?? '', 'promtool'), args, {
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  })
  return { status, said: stdout + stderr }
}

describe('metrics', () => {
  test('behavior: docs/metrics.md lists exactly the metrics, with their labels', () => {
    const documented = tableRows(read('docs/metrics.md')).flatMap(([first = '']) => {
      const [, name, labels = ''] = /^`(firmquote_\w+)(?:\{([\w,]+)\})?`$/.exec(first) ?? []
      return name === undefined ? [] : [[name, labels] as const]
    })
    expect(documented.map(([name]) => name).sort()).toEqual(
      [...metrics.keys()].filter((name) => name.startsWith('firmquote_')).sort(),
    )
    for (const [name, labels] of documented) {
      const sample = new RegExp(`^${name}\\{(.*)\\} `, 'm').exec(page)?.[1]
      const shown = [...(sample ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le')
      if (sample !== undefined) expect([name, labels]).toEqual([name, shown.join(',')])
    }
  })

  given('behavior: promtool finds nothing to say of their names and texts', () => {
    const { said } = promtool(['check', 'metrics'], page)
    // prom-client defines the names of Node.js metrics.
    expect(said.split('\n').filter((line) => !/^nodejs_|^$/.test(line))).toEqual([])
  })
})

describe('alerts', () => {
  test.each(alertRules())('behavior: $alert uses existing metrics', ({ expr }) => {
    const names = namesIn(expr)
    expect(names.filter((name) => !metrics.has(name))).toEqual([])
    expect(names.length > 0 || expr.includes('up{')).toBe(true)
  })

  test('behavior: there is exactly one page per alert', () => {
    const pages = readdirSync(new URL(`../../../../${incidents}`, import.meta.url)).sort()
    expect(pages).toEqual(
      alertRules()
        .map(({ alert }) => `${pageOf(alert)}.md`)
        .sort(),
    )
    for (const { alert, annotations } of alertRules()) {
      expect(annotations.runbook_url).toBe(
        `{{ $externalLabels.firmquote_url }}/learn/operate/incidents/${pageOf(alert)}`,
      )
    }
  })

  test.each(alertRules())('behavior: the page of $alert has symptoms, causes and steps', ({ alert }) => {
    const text = read(`${incidents}${pageOf(alert)}.md`)
    expect(/^---\ntitle: (.+)\norder: \d+\n---\n/.exec(text)?.[1]).toBe(alert)
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'What you see',
      'Why',
      'What to do',
    ])
    // Each incident page must fit on half a screen.
    expect(text.split('\n').length).toBeLessThan(45)
    expect(namesIn(text).filter((name) => !metrics.has(name))).toEqual([])
    const names = [...text.matchAll(/`([A-Z][A-Z_]+)\b[^`]*`/g)].map(([, name = '']) => name)
    const known = [...Object.keys(settings), ...codes, 'SIGTERM', 'SIGKILL', 'NODE_OPTIONS']
    expect(names.filter((name) => !known.includes(name))).toEqual([])
    const titles = dashboard().panels.map(({ title }) => title)
    const shown = [...text.matchAll(/the panel (.+)/g)].map(([, rest = '']) => rest)
    expect(shown.filter((rest) => !titles.some((title) => rest.startsWith(title)))).toEqual([])
  })
})

describe('the dashboard', () => {
  const { panels, templating } = dashboard()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana substitutes the variable.
  const source = { type: 'prometheus', uid: '${datasource}' }

  test('behavior: its metrics exist', () => {
    expect(
      dashboardQueries()
        .flatMap(({ expr }) => namesIn(expr))
        .filter((name) => !metrics.has(name)),
    ).toEqual([])
  })

  given('behavior: Prometheus reads every question', () => {
    const folder = mkdtempSync(join(tmpdir(), 'firmquote-dashboard-'))
    const rules = dashboardQueries().map(({ expr }, index) => ({ record: `dashboard:${index}`, expr }))
    const file = join(folder, 'rules.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { status, said } = promtool(['check', 'rules', file])
    rmSync(folder, { recursive: true, force: true })
    expect([status, said]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)])
  })

  test('behavior: counters are shown as rates', () => {
    for (const { title, expr } of dashboardQueries()) {
      for (const [, name = ''] of expr.matchAll(/(\w+)\{/g)) {
        const kind = metrics.get(namesIn(name)[0] ?? '')
        const isCounted = kind === 'counter' || kind === 'histogram'
        const grows = new RegExp(`(?:rate|changes)\\(${name}\\{`).test(expr)
        expect({ title, name, grows }).toEqual({ title, name, grows: isCounted || grows })
      }
    }
  })

  test('behavior: the data source and the instance can be chosen', () => {
    expect(templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ])
    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      expect([panel.title, panel.datasource]).toEqual([panel.title, source])
      for (const target of panel.targets ?? []) expect(target.datasource).toEqual(source)
    }
    const others = dashboardQueries().filter(({ expr }) => !expr.includes('ALERTS'))
    // Here the variable selects all instances.
    for (const { expr } of others) expect(expr).toContain('instance=~".*"')
  })

  test('behavior: panels use the units of their metrics', () => {
    for (const { title, expr, unit } of dashboardQueries().filter(({ title }) => title !== 'Starts')) {
      const asked = /_seconds(?:_bucket)?\{/.test(expr) && !/seconds_(?:count|sum|total)/.test(expr)
      if (asked) expect([title, unit]).toEqual([title, 's'])
      if (/_bytes\{/.test(expr)) expect([title, unit]).toEqual([title, expr.includes('/') ? 'percentunit' : 'bytes'])
    }
  })

  test('behavior: panels have unique ids and do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24)
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
    })
    expect(new Set(cells).size).toBe(cells.length)
  })
})
