import type { LiveLimit } from '../app/control/liveLimits.ts'
import { command } from './command.ts'
import { table } from './format.ts'
import { nameOf, text, wholeNumber } from './values.ts'

const limit = { key: 'name', value: nameOf('LIMIT', 'a name that "limits show" lists'), about: 'name of the limit' }
const why = { flag: 'why', key: 'why', value: text(500), about: 'why, for the audit' }
const print = ({ limits }: { limits: LiveLimit[] }) => {
  const rows = limits.map(({ name, value, source, setting }) => [name, String(value), source, String(setting)])
  return table([['LIMIT', 'VALUE', 'SOURCE', 'SETTING'], ...rows])
}

/** `limits show`, `limits set` and `limits reset`. */
export const limitCommands = [
  command({ words: 'limits show', about: 'show the limits that can change while the server runs', print }),
  command({
    words: 'limits set',
    about: 'set a limit on all instances; it overrides the setting until it is reset',
    arguments: [limit, { key: 'value', value: wholeNumber(1, 1_000_000), about: 'its value' }],
    options: [why],
    changes: true,
    print,
  }),
  command({
    words: 'limits reset',
    about: 'return a limit to its setting',
    arguments: [limit],
    options: [why],
    changes: true,
    print,
  }),
]
