import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { ServiceDownError } from '../errors.ts'
import { describeHalt } from '../format/pools.ts'
import { renderFacts } from '../format/table.ts'

/**
 * Shows the service's status.
 *
 * @throws {ServiceDownError} after printing the status, if the service reports that it is down.
 */
export async function health(context: Context, options: ServiceOptions): Promise<void> {
  const client = connectService(context, options)
  const found = await client.getHealth({ signal: context.signal })
  const { status, database, sync, backers, auctions, halts = [], version } = found
  const known = (value: number | null, unit = '') => (value === null ? 'unknown' : `${value}${unit}`)
  show(context, options.json, found, () =>
    renderFacts(
      [
        ['service', client.getConfig().orderbookUrl],
        ['status', status],
        ['database', database],
        ['head', known(sync.head)],
        ['synced', known(sync.synced)],
        ['lag', known(sync.lagSeconds, ' s')],
        ['backers', String(backers.connected)],
        ['auctions', String(auctions.open)],
        ...halts.map((halt) => ['halt', describeHalt(halt)] as const),
        ['version', version],
      ],
      context.style,
    ),
  )
  if (status === 'down') throw new ServiceDownError()
}
