import { expect, test } from '@jest/globals'
import { parseArguments } from './parseArguments.ts'

const parse = (line: string) => parseArguments(line.split(' ').filter((word) => word !== ''))

test('default', () => {
  const expected = { do: 'generate', input: 'a.json', output: 'out', name: undefined, check: false }
  expect(parse('generate --in a.json --out out')).toEqual(expected)
  expect(parse('generate --out=out --in=a.json')).toEqual(expected)
  expect(parse('generate --check --in a.json --out out')).toEqual({ ...expected, check: true })
  expect(parse('generate --in a.json --out out --name MINE')).toEqual({ ...expected, name: 'MINE' })
})

test('behavior: help in any position', () => {
  expect([parse('--help'), parse('-h'), parse('generate --in --help')]).toEqual(Array(3).fill({ do: 'help' }))
})

test.each([
  ['', 'No command given. The only command is generate.'],
  ['deploy', 'Unknown command deploy. The only command is generate.'],
  ['--check', 'Unknown command --check. The only command is generate.'],
  ['generate', 'generate requires --in with the path of a deployment file.'],
  ['generate --in a.json', 'generate requires --out with the folder to write to.'],
  ['generate --in', '--in requires a path.'],
  ['generate --in --out out', '--in requires a path.'],
  ['generate --in= --out out', '--in requires a path.'],
  ['generate --in a --out c --name', '--name requires a name.'],
  ['generate --in a --out c --name 1-2', '--name 1-2 is not the name of a constant.'],
  ['generate --in a --in b --out c', '--in is specified twice.'],
  ['generate --force', 'Unknown option --force. The options are --in, --out, --name and --check.'],
  ['generate --check=yes', 'Unknown option --check=yes. The options are --in, --out, --name and --check.'],
  ['generate a.json', 'Unexpected argument a.json; use --in and --out to pass paths.'],
])('error: %j', (line, problem) => {
  expect(parse(line)).toEqual({ do: 'refuse', problem })
})
