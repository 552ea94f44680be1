import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ConfigurationError } from './configurationError.ts'
import { lockDirectory } from './lockDirectory.ts'

let directory: string
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'firmquote-owner-')), 'data')
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }))

const options = { setting: 'DATA_DIR', program: 'server', timeoutMs: 0 }
const program = (then: string) => `
  import { lockDirectory } from ${JSON.stringify(String(new URL('./lockDirectory.ts', import.meta.url)))}
  const own = () => lockDirectory(${JSON.stringify(directory)}, { setting: 'DATA_DIR', program: 'server', timeoutMs: 2000 })
  ${then}`
const run = (then: string) =>
  spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program(then)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

describe('lockDirectory', () => {
  test('default', async () => {
    const first = await lockDirectory(directory, options)
    expect(first.previous).toBeNull()
    const failure = lockDirectory(directory, options)
    await expect(failure).rejects.toThrow(ConfigurationError)
    await expect(failure).rejects.toThrow(
      /^Another server is using .*: process \d+, since \d{4}-.*Z; stop that process first, or set DATA_DIR to another directory\./,
    )
    await expect(failure).rejects.toThrow(new RegExp(`process ${process.pid},`))
    first.release()
    const second = await lockDirectory(directory, options)
    expect(second.previous).toEqual({ pid: process.pid, since: expect.any(Number) })
    second.release()
  })

  test('behavior: the lock ends with its process, even after kill -9, and names it until then', async () => {
    const child = run("await own(); process.stdout.write('mine'); setInterval(() => {}, 1e6)")
    await once(child.stdout, 'data')
    await expect(lockDirectory(directory, options)).rejects.toThrow(new RegExp(`process ${child.pid},`))
    child.kill('SIGKILL')
    await once(child, 'close')
    const owner = await lockDirectory(directory, options)
    expect(owner.previous?.pid).toBe(child.pid)
    owner.release()
  })

  test('behavior: one of several concurrent processes gets the lock, and the others name it', async () => {
    const children = Array.from({ length: 4 }, () =>
      run(`try { await own(); process.stdout.write('mine'); setInterval(() => {}, 1e6) }
        catch (error) { process.stdout.write(error.message) }`),
    )
    const said = await Promise.all(
      children.map(async (child) => ({ pid: child.pid, text: String((await once(child.stdout, 'data'))[0]) })),
    )
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')))
    const owners = said.filter(({ text }) => text === 'mine')
    expect(owners).toHaveLength(1)
    for (const { text } of said.filter((one) => one !== owners[0])) {
      expect(text).toContain(`process ${owners[0]?.pid},`)
    }
  })

  test('error: a lock that cannot be acquired', async () => {
    writeFileSync(join(directory, '..', 'data'), 'a file')
    await expect(lockDirectory(directory, options)).rejects.toThrow(/cannot be acquired: .*DATA_DIR/)
  })
})
