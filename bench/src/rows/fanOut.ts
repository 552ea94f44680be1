import { startNats } from '@firmquote/cluster/startNats'
import { measureFanOut, startFloor, startProduct } from '../fanOut/sides.ts'
import { ratioOf } from '../figures.ts'
import { requireNats } from '../fixture/startClusterFixture.ts'
import { compileFloor, createTemporaryDirectory } from '../processes.ts'
import type { Row, RowContext } from '../row.ts'

/** Time from the call that broadcasts an RFQ until the last reader has the last byte. */
export const fanOut: Row = {
  id: 'fan-out',
  about: 'an RFQ to 1,000 and 5,000 backers, against a C send loop',
  async run(context) {
    const floor = compileFloor()
    return {
      fanOutTo1000: await compareWithFloor(floor, 1_000, context),
      fanOutTo5000: await compareWithFloor(floor, 5_000, context),
    }
  },
}

async function compareWithFloor(floor: string, backers: number, context: RowContext) {
  context.progress(`connecting ${backers} readers to each side`)
  await using ours = await startProduct(floor, backers)
  await using bare = await startFloor(floor, backers, ours.frameBytes)
  const times = await measureFanOut({ ours, bare }, backers, context)
  return ratioOf(times.ours, times.bare, 'ms')
}

/** Fan-out to readers on three instances connected by NATS, compared with one instance. */
export const clusterFanOut: Row = {
  id: 'cluster-fan-out',
  about: 'an RFQ to 1,000 backers spread over three instances, against one instance',
  async run(context) {
    requireNats()
    const floor = compileFloor()
    await using stack = new AsyncDisposableStack()
    const nats = await startNats({ folder: createTemporaryDirectory() })
    stack.defer(nats.stop)
    await using three = await startProduct(floor, 1_000, { instances: 3, natsUrl: nats.url })
    await using one = await startProduct(floor, 1_000)
    const times = await measureFanOut({ three, one }, 1_000, context)
    return { clusterFanOut: ratioOf(times.three, times.one, 'ms') }
  },
}
