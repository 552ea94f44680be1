import type { AdminAuction, AdminAuctionDetails, AdminAuctionList } from '../app/control/adminAuctions.ts'
import { command } from './command.ts'
import { instant, table } from './format.ts'
import { publicId, wholeNumber } from './values.ts'

/** `auctions list` and `auctions show`. */
export const auctionCommands = [
  command<AdminAuctionList>({
    words: 'auctions list',
    about: 'list the open auctions of all instances, the first to close first',
    options: [{ flag: 'limit', key: 'limit', value: wholeNumber(1, 200), about: 'auctions to list; default 50' }],
    print({ open, auctions }) {
      if (open === 0) return 'There is no open auction.'
      const rows = auctions.map(({ id, secondsLeft, quotes, makers, notional, poolId }) => [
        ...[id, `${secondsLeft} s`, `${quotes} of ${makers}`, notional, poolId],
      ])
      const count = `${auctions.length} of ${open} open auctions.`
      return `${table([['ID', 'LEFT', 'QUOTES', 'NOTIONAL (RAW UNITS)', 'POOL'], ...rows])}\n\n${count}`
    },
  }),
  command<AdminAuctionDetails>({
    words: 'auctions show',
    about: 'show an auction and its quotes',
    arguments: [{ key: 'id', value: publicId, about: 'public id of the auction' }],
    print: (auction) => {
      const { closedAt, rejected, interrupted, quotes } = auction
      const head = [
        ...auctionRows(auction),
        ...(closedAt === null ? [['closes in', `${auction.secondsLeft} s`]] : [['closed', instant(closedAt)]]),
        ...(interrupted ? [['interrupted', 'no instance was running at the deadline']] : []),
        ['quotes', `${quotes.length} of ${auction.makers} makers`],
        ...(rejected === null ? [] : [['rejected', String(rejected)]]),
      ]
      const rows = quotes.map(({ maker, apr, hash, outcome }) => [maker, `${apr}`, hash, outcome ?? ''])
      return rows.length === 0
        ? table(head)
        : `${table(head)}\n\n${table([['MAKER', 'APR', 'HASH', 'OUTCOME'], ...rows])}`
    },
  }),
]

function auctionRows({ id, status, poolId, seriesKey, expiry, notional, openedAt }: Omit<AdminAuction, 'quotes'>) {
  return [
    ['auction', id],
    ['status', status],
    ['pool', poolId],
    ['series', `${seriesKey}, expires ${instant(expiry * 1_000)}`],
    ['notional', `${notional} raw units`],
    ['opened', instant(openedAt)],
  ]
}
