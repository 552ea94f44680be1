import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { goals } from '../goals.ts'
import { compileFloor } from '../native/compileFloor.ts'
import type { Finding, Row, RowContext } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import {
  type Broadcaster,
  type SocketIo,
  type Stage,
  sampleRfq,
  startFloor,
  startPlainWs,
  startProduct,
  startSocketIo,
} from './fanOutSides.ts'

/** How often each side broadcasts in one round; the median is the round's figure. */
const broadcasts = 9
const sizes = [
  { backers: 1_000, held: goals.fanOutTo1000 },
  { backers: 5_000, held: goals.fanOutTo5000 },
]

/**
 * From the call that broadcasts an RFQ to the last byte at the last reader. Each side has a process of readers of its own,
 * and the sides take turns.
 */
export const fanOut: Row = {
  id: 'fan-out',
  about: 'an RFQ to 1,000 and 5,000 backers, against a C send loop, plain ws and socket.io',
  async run(context) {
    const floor = compileFloor('fanOutFloor')
    try {
      const findings: Finding[] = []
      for (const size of sizes) {
        const finding = await measure(context, { ...size, program: floor?.program })
        if (finding) findings.push(finding)
      }
      return { findings }
    } finally {
      floor?.remove()
    }
  },
}

type Setting = { backers: number; held: Pick<Finding, 'goal' | 'limit'>; program: string | undefined }

async function measure(context: RowContext, { backers, held, program }: Setting): Promise<Finding | null> {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || Number.POSITIVE_INFINITY
  const io = loadSocketIo()
  if (files < backers * (io ? 3 : 2) + 500) {
    context.progress(`fan-out to ${backers} is left out: ulimit -n is ${files}, it needs ${backers * 3 + 500}`)
    return null
  }
  await using stack = new AsyncDisposableStack()
  const sides: { broadcaster: Broadcaster; readers: Readers }[] = []
  const starts = [
    () => startProduct(backers),
    ...(program ? [() => startFloor(program)] : []),
    startPlainWs,
    ...(io ? [() => startSocketIo(io)] : []),
  ]
  for (const start of starts) {
    const stage = await start()
    stack.defer(stage.stop)
    context.progress(`connecting ${backers} readers (${stage.kind})`)
    const readers = await startReaders(stage, backers, program)
    stack.defer(readers.stop)
    for (const broadcaster of stage.broadcasters()) sides.push({ broadcaster, readers })
  }

  const times = sides.map((): number[] => [])
  for (let round = 0; round <= context.rounds; round += 1) {
    context.progress(round === 0 ? 'warming up' : `round ${round} of ${context.rounds}`)
    const turns = [...sides.entries()]
    for (const [index, { broadcaster, readers }] of round % 2 ? turns : turns.reverse()) {
      const own: number[] = []
      for (let sent = 0; sent < broadcasts; sent += 1) {
        await readers.expect(broadcaster.bytes * backers)
        const began = await broadcaster.broadcast(sampleRfq)
        own.push(Number((await readers.last()) - began) / 1e6)
      }
      if (round > 0) times[index]?.push(figureOf(own).median)
    }
  }
  const [ours = [], ...others] = times
  const ratios = others.map((theirs) => ratioOf(ours, theirs))
  const [first] = ratios
  const rival = sides[1]?.broadcaster.name
  if (!first || !rival) throw new TypeError('There is no rival.')
  const rates = sides.map(
    ({ broadcaster }, index) => `${broadcaster.name} ${figureOf(times[index] ?? []).median.toFixed(1)} ms`,
  )
  const against = ratios
    .slice(1)
    .map((ratio, index) => `${ratio.median.toFixed(2)} of ${sides[index + 2]?.broadcaster.name}`)
  return {
    what: `RFQ fan-out to ${backers} backers, call to last byte`,
    rival,
    unit: 'x',
    figure: first,
    // Against plain ws the goal would say nothing.
    ...(program ? held : {}),
    notes: [
      rates.join(', '),
      `ours is ${against.join(', ')}`,
      `${sides[0]?.broadcaster.bytes} bytes a frame`,
      ...(program ? [] : ['there is no `cc` here, so the C loop is missing and the figure is against plain ws']),
      ...(io ? [] : ['socket.io is not installed']),
    ],
  }
}

/** Connected readers. */
export type Readers = {
  /** Resolves when the readers wait for this number of bytes. */
  expect(bytes: number): Promise<void>
  /** When the last of them was read, in monotonic nanoseconds. */
  last(): Promise<bigint>
  stop(): Promise<void>
}

/** Connects readers from a process of their own; with several ports in turn, separated by commas. */
export async function startReaders(
  { kind, port }: { kind: Stage['kind']; port: number | string },
  count: number,
  program: string | undefined,
): Promise<Readers> {
  const file = fileURLToPath(new URL('fanOutReaders.ts', import.meta.url))
  const args = ['--no-warnings', file, kind, String(port), String(count), ...(program ? [program] : [])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (wanted?: string) => {
    const { value, done } = await lines.next()
    if (done || (wanted && value !== wanted)) throw new TypeError(`The readers of ${kind} gave up.`)
    return value as string
  }
  await next('ready')
  return {
    async expect(bytes) {
      child.stdin.write(`${bytes}\n`)
      await next('waiting')
    },
    last: async () => BigInt(await next()),
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}

function loadSocketIo(): SocketIo | null {
  try {
    return createRequire(new URL('../../rivals/package.json', import.meta.url))('socket.io') as SocketIo
  } catch {
    return null
  }
}
