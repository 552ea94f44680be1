import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startNats } from '@firmquote/cluster/startNats'
import { goals } from '../goals.ts'
import { compileFloor } from '../native/compileFloor.ts'
import type { Row } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { missingPrograms } from '../stand/startClusterStand.ts'
import { createTemporaryDirectory } from '../stand/temporaryDirectory.ts'
import { startReaders } from './fanOut.ts'
import { frameBytes } from './fanOutSides.ts'

const backers = 1_000
const instances = 3
/** How often each side broadcasts in one round; the median is the round's figure. */
const broadcasts = 9
/** What another side may still be doing is over after this time. */
const restMs = 20

/**
 * From the call that broadcasts an RFQ on one instance to the last byte at the last reader: the readers spread over three
 * instances, each a process of its own with the product's doors, sessions and bus on NATS, against all of them on one.
 */
export const clusterFanOut: Row = {
  id: 'cluster-fan-out',
  about: 'an RFQ to 1,000 backers spread over three instances, against one instance',
  async run({ rounds, progress }) {
    const skipped = missingPrograms()
    if (skipped !== null) return { findings: [], skipped }
    await using stack = new AsyncDisposableStack()
    const directory = createTemporaryDirectory()
    stack.defer(directory.remove)
    const nats = await startNats({ folder: join(directory.path, 'nats') })
    stack.defer(nats.stop)
    const floor = compileFloor('fanOutFloor')
    stack.defer(() => floor?.remove())
    const key = randomBytes(32).toString('hex')
    const startSide = async (count: number) => {
      const started = await Promise.all(
        Array.from({ length: count }, () => startInstance(count > 1 ? nats.url : undefined, key)),
      )
      for (const instance of started) stack.defer(instance.stop)
      const port = started.map((instance) => instance.port).join(',')
      const readers = await startReaders({ kind: 'backer', port }, backers, floor?.program)
      stack.defer(readers.stop)
      const [first] = started
      if (!first) throw new TypeError('There is no instance.')
      return { broadcast: first.broadcast, readers }
    }
    progress(`connecting ${backers} readers to each side`)
    const sides = { three: await startSide(instances), one: await startSide(1) }
    const times = { three: [] as number[], one: [] as number[] }
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of round % 2 ? (['three', 'one'] as const) : (['one', 'three'] as const)) {
        const { broadcast, readers } = sides[side]
        const own: number[] = []
        for (let sent = 0; sent < broadcasts; sent += 1) {
          await sleep(restMs)
          await readers.expect(frameBytes * backers)
          const began = await broadcast()
          own.push(Number((await readers.last()) - began) / 1e6)
        }
        const { median } = figureOf(own)
        progress(`round ${round} of ${rounds}, ${side}: ${median.toFixed(1)} ms`)
        if (round > 0) times[side].push(median)
      }
    }
    const shown = (side: keyof typeof times) => `${figureOf(times[side]).median.toFixed(1)} ms`
    return {
      findings: [
        {
          what: `RFQ fan-out to ${backers} backers on ${instances} instances, call to last byte`,
          rival: 'the same on one instance',
          unit: 'x',
          figure: ratioOf(times.three, times.one),
          ...goals.clusterFanOut,
          notes: [`three instances ${shown('three')}, one ${shown('one')}; ${frameBytes} bytes a frame`],
        },
      ],
    }
  },
}

type Instance = {
  port: number
  /** Broadcasts, and gives the time at which it began, in monotonic nanoseconds. */
  broadcast(): Promise<bigint>
  stop(): Promise<void>
}

async function startInstance(natsUrl: string | undefined, key: string): Promise<Instance> {
  const file = fileURLToPath(new URL('fanOutInstance.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', file, String(backers), key], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NATS_URL: natsUrl },
  })
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new TypeError('The instance has no pipes.')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new TypeError('An instance has ended.')
    return value as string
  }
  return {
    port: Number(await next()),
    async broadcast() {
      stdin.write('\n')
      return BigInt(await next())
    },
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      stdin.end()
      await gone
    },
  }
}
