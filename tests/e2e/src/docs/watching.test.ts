import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPrometheus } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { expect, test } from '@jest/globals'

// The commands of operate/watching.md are run as they stand there; only the port is another one.

const root = new URL('../../../../', import.meta.url)
const page = readFileSync(new URL('apps/docs/operate/watching.md', root), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }))

const programs = findPrometheus()
const given = programs ? test : test.skip
given(
  'default: Prometheus takes the configuration, the rules, and looks at the server',
  async () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sh'])
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'firmquote-watching-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    for (const name of ['prometheus.yml', 'alerts.yml']) {
      cpSync(new URL(`apps/server/deploy/${name}`, root), join(folder, name))
    }
    const port = await freePort()
    const script = (blocks[0]?.text ?? '').replace('127.0.0.1:9090', `127.0.0.1:${port}`)
    expect(script).toContain(`:${port}`)
    const shell = spawn('bash', ['-euc', script], {
      cwd: folder,
      env: { PATH: `${programs}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    const ended = once(shell, 'close')
    stack.defer(async () => {
      // The shell and what it has started.
      if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
      await ended
    })
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
    for (const end = Date.now() + 10_000; ; await sleep(50)) {
      if (
        await fetch(`http://127.0.0.1:${port}/-/ready`).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        break
      if (Date.now() > end || shell.exitCode !== null) throw new Error(`Prometheus has not started:\n${output}`)
    }
    expect(output).toContain('SUCCESS: prometheus.yml is valid prometheus config file syntax')
    const { data } = (await ask('/api/v1/rules')) as { data: { groups: { rules: unknown[] }[] } }
    // As many as the page says.
    expect(page).toContain('sixteen alerts')
    expect(data.groups.flatMap(({ rules }) => rules)).toHaveLength(16)
    const { data: running } = (await ask('/api/v1/status/config')) as { data: { yaml: string } }
    expect(running.yaml).toContain('127.0.0.1:3005')
  },
  30_000,
)
