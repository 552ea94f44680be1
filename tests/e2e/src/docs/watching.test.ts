import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrometheus } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { expect, test } from '@jest/globals'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { root } from '../pack.ts'
import { openTerminal } from '../terminal.ts'
import { fencedBlocks } from './fencedBlocks.ts'

// Runs the commands in operate/watching.md, changing only the port.

const page = readFileSync(join(root, 'apps/docs/operate/watching.md'), 'utf8')
const blocks = fencedBlocks(page)

const programs = findPrometheus()
const given = programs ? test : test.skip
given(
  'default: Prometheus accepts the configuration and the rules, and scrapes the server',
  async () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sh'])
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'firmquote-watching-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    for (const name of ['prometheus.yml', 'alerts.yml']) {
      cpSync(join(root, 'apps/server/deploy', name), join(folder, name))
    }
    const port = await freePort()
    const script = (blocks[0]?.text ?? '').replace('127.0.0.1:9090', `127.0.0.1:${port}`)
    expect(script).toContain(`:${port}`)
    const shell = openTerminal(script, folder, { PATH: `${programs}:${process.env['PATH']}` })
    stack.defer(async () => {
      shell.kill()
      await shell.ends()
    })
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitUntil(isReady, 10_000)
    expect(shell.output()).toContain('SUCCESS: prometheus.yml is valid prometheus config file syntax')
    const { data } = (await ask('/api/v1/rules')) as { data: { groups: { rules: unknown[] }[] } }
    // The page states the number of alerts.
    expect(page).toContain('twenty-two alerts')
    expect(data.groups.flatMap(({ rules }) => rules)).toHaveLength(22)
    const { data: running } = (await ask('/api/v1/status/config')) as { data: { yaml: string } }
    expect(running.yaml).toContain('127.0.0.1:3005')
  },
  30_000,
)
