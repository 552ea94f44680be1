import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { Context } from './context.ts'
import { createProgram } from './createProgram.ts'
import { exitCodes } from './exitCodes.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
// No command runs here.
const program = createProgram({} as Context, '0.0.0')

// Its examples are run by tests/e2e, against a real service.
describe('README', () => {
  test('behavior: every command stands in its table, with its arguments', () => {
    const commands = program.commands.map((command) =>
      `firmquote ${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    )
    const rows = [...readme.matchAll(/^\| `(firmquote [^`]+)` \|/gm)].map(([, text]) => text)
    expect(rows).toEqual(commands)
  })

  test('behavior: every option is explained', () => {
    const options = program.commands.flatMap((command) => command.options.map(({ long }) => long))
    for (const option of options) expect(readme).toContain(`\`${option}\``)
  })

  test('behavior: the exit codes are those of the program', () => {
    const rows = [...readme.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(rows).toEqual(Object.values(exitCodes))
  })
})
