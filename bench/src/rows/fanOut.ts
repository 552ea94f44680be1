import { measureFanOut, startFloor, startProduct } from '../fanOut/sides.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { compileFloor } from '../processes.ts'
import type { Finding, Row } from '../row.ts'

const sizes = [
  { backers: 1_000, held: goals.fanOutTo1000 },
  { backers: 5_000, held: goals.fanOutTo5000 },
]

/** Says that the machine cannot compile the C program. */
export function missingCompiler(): string | null {
  const floor = compileFloor()
  floor?.remove()
  return floor ? null : 'there is no C compiler `cc` on this machine'
}

/** From the call that broadcasts an RFQ to the last byte at the last reader. */
export const fanOut: Row = {
  id: 'fan-out',
  about: 'an RFQ to 1,000 and 5,000 backers, against a C send loop',
  missing: missingCompiler,
  async run(context) {
    const floor = compileFloor()
    if (!floor) throw new TypeError('There is no C compiler.')
    const findings: Finding[] = []
    for (const { backers, held } of sizes) {
      await using stack = new AsyncDisposableStack()
      const options = { floor: floor.program, backers, stack }
      context.progress(`connecting ${backers} readers to each side`)
      const ours = await startProduct(options)
      const sides = { Firmquote: ours, 'C loop': await startFloor(options, ours.frameBytes) }
      const times = await measureFanOut(sides, backers, context)
      findings.push({
        what: `RFQ fan-out to ${backers} backers, call to last byte`,
        rival: 'C send() loop',
        unit: 'x',
        figure: ratioOf(times.Firmquote, times['C loop']),
        ...held,
        notes: [
          `Firmquote ${noteOf(times.Firmquote, 'ms', 1)}, C loop ${noteOf(times['C loop'], 'ms', 1)}`,
          `${ours.frameBytes} bytes a frame`,
        ],
      })
    }
    return findings
  },
}
