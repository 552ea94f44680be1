import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { findCaddy } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { findProgram } from '../../../../scripts/findBrowser.mjs'
import { describeInBrowser } from '../browser/describeInBrowser.ts'
import { startWalkthroughs, type Walkthroughs } from './walkthroughs.ts'

/** Values that the page asks the reader to fill in. */
const missing = [
  ...(findCaddy() ? [] : ['caddy']),
  ...['prometheus', 'promtool', 'curl'].filter((name) => !findProgram([name], process.env)),
]
const testWithPrograms = missing.length === 0 ? test : test.skip

describeInBrowser('an operator who has just heard of it', ({ browser }) => {
  let walkthroughs: Walkthroughs
  let ports: { http: number; https: number; prometheus: number }
  beforeAll(async () => {
    walkthroughs = await startWalkthroughs()
    ports = { http: await freePort(), https: await freePort(), prometheus: await freePort() }
  }, 120_000)
  afterAll(() => walkthroughs?.stop(), 60_000)

  /** Replaces the page's ports with this test's, including in the copied file. */
  const fillIn = (text: string) =>
    text
      .replaceAll('8443', String(ports.https))
      .replaceAll('8080', String(ports.http))
      .replaceAll('9090', String(ports.prometheus))
      .replaceAll('~/.local/share', '$XDG_DATA_HOME')
      .replace(
        /^cp .*prometheus\.yml .*$/m,
        `$&\nsed -i s/127.0.0.1:3005/127.0.0.1:${walkthroughs.port}/ prometheus.yml`,
      )

  testWithPrograms(
    'default: following start/operator.md word for word results in TLS, metrics, alerts and a dashboard with data',
    async () => {
      const { folder } = await walkthroughs.follow('start/operator.md', {
        browser,
        fillIn,
        environment: {
          FIRMQUOTE_SERVERS: `127.0.0.1:${walkthroughs.port}`,
          FIRMQUOTE_CADDY_ADMIN: 'off',
          XDG_DATA_HOME: walkthroughs.folder,
          XDG_CONFIG_HOME: walkthroughs.folder,
        },
      })

      const authority = join(walkthroughs.folder, 'caddy/pki/authorities/local/root.crt')
      expect(await statusOf(`https://localhost:${ports.https}/api/v1/health`, readFileSync(authority))).toBe(200)

      const dashboard = JSON.parse(
        readFileSync(join(folder, 'node_modules/@firmquote/server/deploy/grafana-dashboard.json'), 'utf8'),
      ) as { panels: { targets?: { expr: string }[] }[] }
      const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      expect(expressions.length).toBeGreaterThan(10)
      let answered = 0
      for (const expression of expressions) answered += (await query(expression)) > 0 ? 1 : 0
      // Most panels show events that have not happened yet, or need a second scrape.
      expect(answered).toBeGreaterThanOrEqual(5)
      expect(await query('up{job="firmquote"} == 1')).toBe(1)

      const readRules = async () => {
        const { groups } = await ask<{ groups: { rules: { name: string; health: string; state: string }[] }[] }>(
          'rules',
        )
        return groups.flatMap((group) => group.rules)
      }
      // Prometheus evaluates rule groups at different times.
      await waitUntil(async () => (await readRules()).every(({ health }) => health !== 'unknown'), 60_000)
      const rules = await readRules()
      expect(rules.length).toBeGreaterThanOrEqual(10)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
      expect(rules.find(({ name }) => name === 'FirmquoteMakersGone')?.state).toBe('inactive')
    },
    180_000,
  )

  /** Returns the number of Prometheus series for a dashboard expression. */
  async function query(expression: string): Promise<number> {
    const known = expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
    return (await ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(known)}`)).result.length
  }

  async function ask<T>(path: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${ports.prometheus}/api/v1/${path}`)
    const { status, data } = (await answer.json()) as { status: string; data: T }
    expect([path, status]).toEqual([path, 'success'])
    return data
  }
})

function statusOf(url: string, ca: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}
