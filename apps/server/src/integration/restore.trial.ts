import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '@firmquote/devnet'
import { programOf, startProgram } from '@firmquote/test-support/startProgram'
import { expect, test } from '@jest/globals'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'

// Runs the SQLite commands from docs/backup.md, replacing only the folders.

const page = readFileSync(new URL('../../../../docs/backup.md', import.meta.url), 'utf8')

/** Returns the page's example after a given comment. */
function exampleOf(name: string): string {
  const [, text] = new RegExp(` *<!-- ${name} -->\\n *\`\`\`sh\\n([\\s\\S]*?) *\`\`\``).exec(page) ?? []
  if (text === undefined) throw new TypeError(`The page has no example for "${name}".`)
  return text
}

test('behavior: a backup of a running server, restored over a damaged database as documented, has all data acknowledged before it', async () => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-restore-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const devnet = await startDevnet()
  stack.defer(devnet.stop)
  const [data, backups, bin] = ['data', 'backups', 'bin'].map((name) => join(folder, name)) as [string, string, string]
  // The folder layout that systemd uses for a unit with a dynamic user.
  mkdirSync(join(folder, 'private/data'), { recursive: true })
  symlinkSync('private/data', data)
  mkdirSync(backups)
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'firmquote-server'),
    `#!/bin/sh\nexec '${process.execPath}' --conditions=@firmquote/source '${programOf('server')}' "$@"\n`,
    {
      mode: 0o755,
    },
  )
  const node = { RPC_URL: devnet.rpcUrl, HEAD_DEGRADED_SECONDS: '3600', HEAD_STALE_SECONDS: '3600' }
  const environment = { PORT: '0', DATA_DIR: data, ...node }
  const run = (name: string) =>
    execFileSync(
      'bash',
      ['-euc', exampleOf(name).replaceAll('/var/lib/firmquote-server', data).replaceAll('/backups', backups)],
      { env: { ...node, PATH: `${bin}:${process.env['PATH']}` }, encoding: 'utf8' },
    )
  const start = async () => {
    const { child, says, ended } = startProgram(programOf('server'), [], environment)
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    stack.defer(stop)
    const [, url = ''] = await says(/^ready (http:\S+)$/m)
    return { api: `${url}/api/v1`, stop }
  }
  const [maker] = devnet.backers
  const publish = async (api: string) => {
    const response = await fetch(`${api}/quotes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))),
    })
    expect(response.status).toBe(201)
    return ((await response.json()) as { hash: string }).hash
  }

  const before = await start()
  const kept = await publish(before.api)
  run('sqlite backup')
  expect(run('sqlite verify')).toMatch(/^chain {6}8453, [\s\S]*\nquotes {5}1\n[\s\S]*\nThe backup is intact\.\n$/)
  const late = await publish(before.api)
  await before.stop()
  const file = join(data, 'firmquote.db')
  const damaged = readFileSync(file).fill(0x5a, 2_048, 40_960)
  writeFileSync(file, damaged)
  const failed = startProgram(programOf('server'), [], environment)
  expect([await failed.ended, failed.output()]).toEqual([
    1,
    expect.stringMatching(/^The database \S+ is corrupt; restore a backup/),
  ])
  // A backup with the same damage does not pass.
  const spoilt = join(backups, 'firmquote-9999-12-31T000000Z.db')
  writeFileSync(spoilt, damaged)
  expect(() => run('sqlite verify')).toThrow(/The backup \S+ is damaged: /)
  rmSync(spoilt)
  run('sqlite restore')
  expect(readFileSync(join(folder, 'private/data.before/firmquote.db')).equals(damaged)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const after = await start()
  const statusOf = async (hash: string) => (await fetch(`${after.api}/quotes/${hash}`)).status
  expect([await statusOf(kept), await statusOf(late)]).toEqual([200, 404])
  await publish(after.api)
}, 60_000)
