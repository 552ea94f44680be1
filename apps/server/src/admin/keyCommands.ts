import type { IssuedKey, ListedKey } from '../app/control/adminKeys.ts'
import { command } from './command.ts'
import { instant, table } from './format.ts'
import { duration, nameOf, text, wholeNumber } from './values.ts'

const name = nameOf('NAME', 'a name of lower-case letters, digits, ".", "_" and "-"')
const why = { flag: 'why', key: 'why', value: text(500), about: 'why, for the audit' }

/** `keys list`, `keys issue` and `keys revoke`. */
export const keyCommands = [
  command<{ keys: ListedKey[] }>({
    words: 'keys list',
    about: "list integrators' API keys, of the store and of API_KEYS, without the keys themselves",
    print({ keys }) {
      if (keys.length === 0) return 'There are no API keys.'
      const rows = keys.map(({ id, name, source, state, perMinute, open, until }) => [
        ...[id, name ?? '', state, String(perMinute), String(open), until === null ? 'never' : instant(until), source],
      ])
      return table([['ID', 'NAME', 'STATE', 'RFQS PER MINUTE', 'OPEN RFQS', 'EXPIRES', 'SOURCE'], ...rows])
    },
  }),
  command<IssuedKey>({
    words: 'keys issue',
    about: 'issue an API key to an integrator; the key is shown once',
    arguments: [{ key: 'name', value: name, about: 'name of the integrator' }],
    options: [
      {
        flag: 'per-minute',
        key: 'perMinute',
        value: wholeNumber(1, 10_000),
        about: 'RFQs per minute',
        isRequired: true,
      },
      { flag: 'open', key: 'open', value: wholeNumber(1, 10_000), about: 'open RFQs', isRequired: true },
      { flag: 'expires', key: 'expires', value: duration, about: 'when the key expires; default: never' },
      why,
    ],
    changes: true,
    print: ({ key, id, until }) =>
      `${key}\n\nThis is the only time that the key is shown. Its id is ${id}. It expires ${until === null ? 'never' : `at ${instant(until)}`}.`,
  }),
  command<{ id: string }>({
    words: 'keys revoke',
    about: 'revoke an API key, also one of API_KEYS',
    arguments: [{ key: 'key', value: nameOf('KEY', 'a name or an id that "keys list" shows'), about: 'key to revoke' }],
    options: [{ ...why, isRequired: true }],
    changes: true,
    print: ({ id }) => `Revoked the key ${id}.`,
  }),
]
