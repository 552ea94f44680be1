import type { AdminStatus } from '../app/control/adminStatus.ts'
import { command } from './command.ts'
import { table, timeSpan } from './format.ts'

/** `status`. */
export const statusCommand = command<AdminStatus>({
  words: 'status',
  about: 'show the health of the service and the state of this instance',
  print({ status, version, uptimeSeconds, url, database, sync, node, clock, auctions, backers, bans, halts = [] }) {
    const lag = sync.lagSeconds === null ? '' : `, ${sync.lagSeconds} s old`
    return table([
      ['status', status],
      ['version', version],
      ['uptime', timeSpan(uptimeSeconds)],
      ['address', url ?? 'starting'],
      ['database', `${database.kind}, ${database.status}`],
      ['chain', sync.head === null ? 'unavailable' : `block ${sync.head}, synced to ${sync.synced ?? 'none'}${lag}`],
      ...(node ? [['node', node.preferred ? node.name : `${node.name}, not the preferred one: ${node.reason}`]] : []),
      ...(clock ? [['clock offset', `${clock.offsetMs} ms`]] : []),
      ...(halts.length > 0 ? [['halts', `${halts.length}: see "pools list"`]] : []),
      ['open auctions', String(auctions.open)],
      ['makers connected', String(backers.connected)],
      ['makers banned', bans === null ? 'unknown' : String(bans)],
    ])
  },
})
