import type { Address, Hex } from 'viem'
import { type Command, command, type Option } from './command.ts'
import { instant, table } from './format.ts'
import { address, duration, text } from './values.ts'

type Ban = { since: number; until: number | null; why: string }
type Maker = { maker: Address; sockets: number; ban: Ban | null; isAllowed: boolean }
type MakerDetails = Maker & {
  publishedQuotes: number
  newestFills: { hash: Hex; poolId: Hex; seriesKey: Hex; notional: string; createdAt: number }[]
  suspendedSecondsHere: number | null
}

const maker = { key: 'maker', value: address, about: "the maker's address" }
const why: Option = { flag: 'why', key: 'why', value: text(500), about: 'reason, for the audit' }
const printChange = (result: Maker) => `${result.maker}: ${stateOf(result)}`

/** The commands about makers. */
export const makerCommands: readonly Command[] = [
  command<{ makers: Maker[] }>({
    words: 'makers list',
    about: 'list the makers that are connected, banned or allowed by a command',
    print({ makers }) {
      if (makers.length === 0) return 'There is no such maker.'
      const rows = makers.map((one) => [one.maker, String(one.sockets), stateOf(one)])
      return table([['MAKER', 'SOCKETS', 'STATE'], ...rows])
    },
  }),
  command<MakerDetails>({
    words: 'makers show',
    about: "show a maker's connections, quotes, fills and bans",
    arguments: [maker],
    print(details) {
      const { sockets, publishedQuotes, newestFills, suspendedSecondsHere: suspended } = details
      const head = table([
        ['maker', details.maker],
        ['state', stateOf(details)],
        ['sockets', String(sockets)],
        ['published quotes', String(publishedQuotes)],
        ...(suspended === null ? [] : [['suspended here', `for ${suspended} s`]]),
      ])
      if (newestFills.length === 0) return `${head}\n\nNo quote of this maker was filled.`
      const rows = newestFills.map(({ hash, createdAt, notional }) => [instant(createdAt), notional, hash])
      return `${head}\n\n${table([['NEWEST FILLS, QUOTED', 'NOTIONAL (RAW UNITS)', 'HASH'], ...rows])}`
    },
  }),
  command<Maker>({
    words: 'makers ban',
    about: 'close the sockets of a maker, refuse its quotes and hide its published quotes',
    arguments: [maker],
    options: [
      { flag: 'for', key: 'for', value: duration, about: 'end of the ban; default: until `makers unban`' },
      { ...why, isRequired: true },
    ],
    changes: true,
    print: printChange,
  }),
  command<Maker>({
    words: 'makers unban',
    about: 'end the ban of a maker',
    arguments: [maker],
    options: [why],
    changes: true,
    print: printChange,
  }),
  command<Maker>({
    words: 'makers allow',
    about: 'admit a maker that `BACKER_ALLOW_LIST` does not list',
    arguments: [maker],
    options: [why],
    changes: true,
    print: printChange,
  }),
  command<Maker>({
    words: 'makers disallow',
    about: 'take back `makers allow`',
    arguments: [maker],
    options: [why],
    changes: true,
    print: printChange,
  }),
]

function stateOf({ ban, isAllowed }: Maker): string {
  if (ban) return `banned ${ban.until === null ? 'without an end' : `until ${instant(ban.until)}`}: ${ban.why}`
  return isAllowed ? 'may connect' : 'not in BACKER_ALLOW_LIST'
}
