import { startNats } from '@firmquote/cluster/startNats'
import { measureFanOut, startProduct } from '../fanOut/sides.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { compileFloor, createTemporaryDirectory } from '../processes.ts'
import type { Row } from '../row.ts'
import { missingPrograms } from '../stand/startClusterStand.ts'
import { missingCompiler } from './fanOut.ts'

const backers = 1_000
const instances = 3

/** The fan-out to readers spread over three instances on NATS, against all of them on one. */
export const clusterFanOut: Row = {
  id: 'cluster-fan-out',
  about: 'an RFQ to 1,000 backers spread over three instances, against one instance',
  missing: () => missingPrograms() ?? missingCompiler(),
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const floor = compileFloor()
    if (!floor) throw new TypeError('There is no C compiler.')
    const directory = createTemporaryDirectory()
    stack.defer(directory.remove)
    const nats = await startNats({ folder: directory.path })
    stack.defer(nats.stop)
    const options = { floor: floor.program, backers, stack }
    const sides = {
      three: await startProduct(options, { instances, natsUrl: nats.url }),
      one: await startProduct(options),
    }
    const times = await measureFanOut(sides, backers, context)
    return [
      {
        what: `RFQ fan-out to ${backers} backers on ${instances} instances, call to last byte`,
        rival: 'the same on one instance',
        unit: 'x',
        figure: ratioOf(times.three, times.one),
        ...goals.clusterFanOut,
        notes: [`three instances ${noteOf(times.three, 'ms', 1)}, one ${noteOf(times.one, 'ms', 1)}`],
      },
    ]
  },
}
