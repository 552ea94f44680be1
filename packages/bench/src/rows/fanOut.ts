import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compileFloor } from '../native/compileFloor.ts'
import type { Figure, Finding, Row, RowContext } from '../row.ts'
import {
  type SocketIo,
  type Stage,
  sampleRfq,
  startFloor,
  startPlainWs,
  startProduct,
  startSocketIo,
  type Teller,
} from './fanOutSides.ts'

/** Times that each side tells everyone in one round; the median is the round's figure. */
const tellings = 9
const goals = new Map([
  [1_000, 1.15],
  [5_000, 1.2],
])

/**
 * From the call that tells of an RFQ to the last byte at the last reader. Each side has a process of readers of its own,
 * and the sides take turns.
 */
export const fanOut: Row = {
  id: 'fan-out',
  about: 'an RFQ to 1,000 and 5,000 backers, against a C send loop, plain ws and socket.io',
  async run(context) {
    const floor = compileFloor('fanOutFloor')
    try {
      const findings: Finding[] = []
      for (const [backers, most] of goals) {
        const finding = await measure(context, { backers, most, program: floor?.program })
        if (finding) findings.push(finding)
      }
      return { findings }
    } finally {
      floor?.remove()
    }
  },
}

type Setting = { backers: number; most: number; program: string | undefined }

async function measure(context: RowContext, { backers, most, program }: Setting): Promise<Finding | null> {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || Number.POSITIVE_INFINITY
  const io = loadSocketIo()
  if (files < backers * (io ? 3 : 2) + 500) {
    context.progress(`fan-out to ${backers} is left out: ulimit -n is ${files}, it needs ${backers * 3 + 500}`)
    return null
  }
  await using stack = new AsyncDisposableStack()
  const sides: { teller: Teller; readers: Readers }[] = []
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
    for (const teller of stage.tellers()) sides.push({ teller, readers })
  }

  const times = sides.map((): number[] => [])
  for (let round = 0; round <= context.rounds; round += 1) {
    context.progress(round === 0 ? 'warming up' : `round ${round} of ${context.rounds}`)
    const turns = [...sides.entries()]
    for (const [index, { teller, readers }] of round % 2 ? turns : turns.reverse()) {
      const own: number[] = []
      for (let telling = 0; telling < tellings; telling += 1) {
        await readers.expect(teller.bytes * backers)
        const began = await teller.tell(sampleRfq)
        own.push(Number((await readers.last()) - began) / 1e6)
      }
      if (round > 0) times[index]?.push(figureOf(own).median)
    }
  }
  const [ours = [], ...others] = times
  const ratios = others.map((theirs) => figureOf(ours.map((time, round) => time / (theirs[round] ?? Number.NaN))))
  const [first] = ratios
  const rival = sides[1]?.teller.name
  if (!first || !rival) throw new TypeError('There is nobody to compare with.')
  const rates = sides.map(({ teller }, index) => `${teller.name} ${figureOf(times[index] ?? []).median.toFixed(1)} ms`)
  const against = ratios
    .slice(1)
    .map((ratio, index) => `${ratio.median.toFixed(2)} of ${sides[index + 2]?.teller.name}`)
  return {
    what: `RFQ fan-out to ${backers} backers, call to last byte`,
    rival,
    unit: 'x',
    figure: first,
    goal: { most },
    limit: '1',
    notes: [
      rates.join(', '),
      `ours is ${against.join(', ')}`,
      `${sides[0]?.teller.bytes} bytes a frame`,
      ...(program ? [] : ['there is no `cc` here, so the floor is missing and plain ws stands in for it']),
      ...(io ? [] : ['socket.io is not installed: `npm run bench` does that']),
    ],
  }
}

type Readers = {
  /** Resolves when the readers wait for so many bytes. */
  expect(bytes: number): Promise<void>
  /** When the last of them was read, in monotonic nanoseconds. */
  last(): Promise<bigint>
  stop(): Promise<void>
}

async function startReaders({ kind, port }: Stage, count: number, program: string | undefined): Promise<Readers> {
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

function figureOf(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  return { median: at(sorted.length >> 1), low: at(0), high: at(sorted.length - 1) }
}
