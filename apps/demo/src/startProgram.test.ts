import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { DemoError } from './demoError.ts'
import { type Program, startProgram } from './startProgram.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-program-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(name: string, text: string): Program {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  return startProgram({ name: `The program "${name}"`, file, environment: { PATH: process.env['PATH'] } })
}

describe('startProgram', () => {
  test('default: ready when it says so, and stopped gracefully by SIGTERM', async () => {
    const program = start(
      'orderly',
      `process.on('SIGTERM', () => process.exit(7))
       setInterval(() => {}, 1_000)
       console.log('ready 0x1234')`,
    )
    await program.ready
    await program.stop()
    expect(await program.exited).toBe(7)
  })

  test('error: a program that exits early is named with its last output', async () => {
    const program = start(
      'broken',
      `for (let line = 1; line <= 100; line++) console.log('line ' + line)
       console.log('There is no configuration.')
       process.exitCode = 1`,
    )
    const failure = await program.ready.then(
      () => new DemoError('it is ready'),
      (error: DemoError) => error,
    )
    const [first, ...lines] = failure.shortMessage.split('\n')
    expect(first).toBe('The program "broken" did not start (1).')
    expect(lines.slice(-2)).toEqual(['line 100', 'There is no configuration.'])
    expect(lines).toHaveLength(40)
  })

  test('error: a program that is killed while it starts', async () => {
    const program = start('slow', 'setInterval(() => {}, 1_000)')
    await program.stop()
    await expect(program.ready).rejects.toThrow('The program "slow" did not start (SIGTERM).')
  })
})
