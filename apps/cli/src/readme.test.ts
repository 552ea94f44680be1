import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { Context } from './context.ts'
import { createProgram } from './createProgram.ts'
import { exitCodes } from './exitCodes.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const reference = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
// These tests do not run any commands.
const program = createProgram({} as Context, '0.0.0')

// The README's examples are run against a real service in tests/e2e.
describe('the README and docs/cli.md', () => {
  test('behavior: the README lists every command with its arguments', () => {
    const commands = program.commands.map((command) =>
      `firmquote ${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    )
    const rows = [...readme.matchAll(/^\| `(firmquote [^`]+)` \|/gm)].map(([, text]) => text)
    expect(rows).toEqual(commands)
  })

  test('behavior: docs/cli.md describes every option', () => {
    const options = program.commands.flatMap((command) => command.options.map(({ long }) => long))
    for (const option of options) expect(reference).toContain(`\`${option}\``)
  })

  test('behavior: docs/cli.md lists the exit codes of the program', () => {
    const rows = [...reference.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(rows).toEqual(Object.values(exitCodes))
  })
})
