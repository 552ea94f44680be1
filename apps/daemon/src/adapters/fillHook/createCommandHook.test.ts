import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { exampleFill } from '../../../test/exampleFill.ts'
import { describeFill } from '../../domain/fill.ts'
import { createCommandHook } from './createCommandHook.ts'

const maker = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const party = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111', maker } as const
const notice = describeFill(exampleFill(), { event: 'filled', final: false }, party)
const never = new AbortController().signal
useFolder(beforeAll, afterAll)

/** Creates a hook that runs a Node script with the given environment. */
function hookOf(script: string, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const file = join(folder, `${Math.random()}.mjs`)
  writeFileSync(file, script)
  return createCommandHook([process.execPath, file, ...args], { PATH: process.env['PATH'], ...environment })
}

/** Waits for text in a file, and returns it. */
async function textOf(file: string): Promise<string> {
  for (let turn = 0; turn < 400; turn++) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text !== '') return text
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new TypeError(`${file} did not appear.`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const copyInput = `import { readFileSync, writeFileSync } from 'node:fs'
writeFileSync(process.argv[2], JSON.stringify({ input: readFileSync(0, 'utf8'), args: process.argv.slice(3), env: process.env }))`

describe('createCommandHook', () => {
  test('default: the program gets one line of JSON and its unmodified arguments', async () => {
    const file = join(folder, 'copy.json')
    const args = ['--live', '$HOME; exit 1', '*']
    await hookOf(copyInput, [file, ...args])(notice, never)
    const got = JSON.parse(readFileSync(file, 'utf8')) as { input: string; args: string[] }
    expect(got.args).toEqual(args)
    expect(got.input).toBe(`${JSON.stringify(notice)}\n`)
  })

  test("behavior: its environment excludes the daemon's variables", async () => {
    const file = join(folder, 'env.json')
    const own = { FIRMQUOTE_PRIVATE_KEY: 'secret', FIRMQUOTE_RPC_URL: 'secret', CREDENTIALS_DIRECTORY: 'secret' }
    await hookOf(copyInput, [file], { ...own, EXCHANGE_KEY: 'mine' })(notice, never)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/secret|FIRMQUOTE_|CREDENTIALS/)
    expect(text).toContain('"EXCHANGE_KEY":"mine"')
  })

  test('behavior: succeeds with unread input and with a background child', async () => {
    await hookOf('process.exit(0)')(notice, never)
    const file = join(folder, 'left.pid')
    await hookOf(
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
       left.unref()
       writeFileSync(process.argv[2], String(left.pid))
       process.exit(0)`,
      [file],
    )(notice, never)
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  })

  test('error: another exit code; the output is truncated and only in the details', async () => {
    const failing = hookOf(`process.stderr.write('x'.repeat(1e6) + ' no such market', () => process.exit(3))`)
    const error = await failing(notice, never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'HOOK_FAILED',
      shortMessage: 'The hooks.onFilled program exited with code 3.',
      details: expect.stringMatching(/ no such market$/),
    })
    expect((error as { details: string }).details.length).toBeLessThanOrEqual(1_000)
  })

  test('error: no such program', async () => {
    await expect(createCommandHook([join(folder, 'none')], {})(notice, never)).rejects.toMatchObject({
      code: 'HOOK_FAILED',
      shortMessage: 'The hooks.onFilled program failed to start (ENOENT).',
    })
  })

  test('error: an abort kills the program and its children', async () => {
    const file = join(folder, 'pids')
    const ending = new AbortController()
    const running = hookOf(
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
       child.on('spawn', () => writeFileSync(process.argv[2], process.pid + ' ' + child.pid))
       setInterval(() => {}, 1000)`,
      [file],
    )(notice, ending.signal)
    const pids = (await textOf(file)).split(' ').map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    ending.abort()
    await expect(running).rejects.toMatchObject({ shortMessage: 'The hooks.onFilled program was killed by SIGKILL.' })
    for (let turn = 0; turn < 200 && pids.some(isAlive); turn++) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(pids.map(isAlive)).toEqual([false, false])
  })
})
