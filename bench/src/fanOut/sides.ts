import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBacker } from '../clients/connectBacker.ts'
import { alternate } from '../compare.ts'
import { figureOf } from '../figures.ts'
import { type LineProgram, startLineProgram, startService } from '../processes.ts'
import { sampleKey } from '../quotes.ts'
import type { RowContext } from '../row.ts'
import type { FanOutInstance } from './instance.ts'

/** A broadcaster and its readers. The readers are a C program that drains all connections with minimal overhead. */
export type FanOutSide = AsyncDisposable & {
  readers: LineProgram
  frameBytes: number
  /** Sends a frame to every reader. Resolves to the start time in nanoseconds of the monotonic clock. */
  broadcast(): Promise<bigint>
}

/** Broadcasts per side and round. A round's figure is the median of these broadcasts. */
const broadcasts = 9
/** Pause for the other side to finish its work, in milliseconds. */
const restMs = 20

/**
 * Starts the product as one instance, or as several connected through NATS. Each instance is a separate process. The
 * first one broadcasts.
 *
 * @param floor path of the compiled C program.
 */
export async function startProduct(
  floor: string,
  backers: number,
  { instances = 1, natsUrl }: { instances?: number; natsUrl?: string } = {},
): Promise<FanOutSide> {
  await using stack = new AsyncDisposableStack()
  const key = randomBytes(32)
  const started = Array.from({ length: instances }, () =>
    stack.use(startService<FanOutInstance>(new URL('instance.ts', import.meta.url))),
  )
  const listening = await Promise.all(started.map((one) => one.call('listen', { backers, natsUrl, key })))
  const readers = await startReaders(floor, backers, async (index) => {
    const port = listening[index % instances]?.port
    return (await connectBacker(`ws://localhost:${port}/ws/rfq`, sampleKey)).connection
  })
  stack.use(readers)
  const running = stack.move()
  return {
    readers,
    frameBytes: listening[0]?.frameBytes ?? 0,
    broadcast: async () => started[0]?.call('broadcast') ?? 0n,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Starts the baseline, a C loop that calls `send()` for the same number of connections and bytes. */
export async function startFloor(floor: string, backers: number, frameBytes: number): Promise<FanOutSide> {
  await using stack = new AsyncDisposableStack()
  const connections: Socket[] = []
  const tcp = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => connections.push(socket))
  tcp.listen(0, '127.0.0.1', 4_096)
  await once(tcp, 'listening')
  stack.defer(() => void tcp.close())
  const { port } = tcp.address() as AddressInfo
  const readers = await startReaders(floor, backers, async () => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return socket
  })
  stack.use(readers)
  while (connections.length < backers) await sleep(1)
  const sender = stack.use(startLineProgram(floor, ['send', String(backers)], connections))
  const running = stack.move()
  return {
    readers,
    frameBytes,
    async broadcast() {
      sender.write(String(frameBytes))
      return BigInt(await sender.next())
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Measures the time from the broadcast call until the last reader has the last byte, in milliseconds per round.
 */
export function measureFanOut<Name extends string>(
  sides: Record<Name, FanOutSide>,
  backers: number,
  context: RowContext,
): Promise<Record<Name, number[]>> {
  return alternate(Object.keys(sides) as Name[], context, async (name) => {
    const { readers, frameBytes, broadcast } = sides[name]
    const times: number[] = []
    for (let sent = 0; sent < broadcasts; sent += 1) {
      await sleep(restMs)
      readers.write(String(frameBytes * backers))
      // Waits for the line "waiting".
      await readers.next()
      const began = await broadcast()
      times.push(Number(BigInt(await readers.next()) - began) / 1e6)
    }
    return figureOf(times).median
  })
}

/** Opens connections and passes them to the C program. */
async function startReaders(floor: string, count: number, open: (index: number) => Promise<Socket>) {
  const sockets: Socket[] = []
  // Opens connections in batches, so that the accept queue does not overflow.
  for (let start = 0; start < count; start += 100) {
    const group = Array.from({ length: Math.min(100, count - start) }, (_, index) => open(start + index))
    sockets.push(...(await Promise.all(group)))
  }
  return startLineProgram(floor, ['drain', String(count)], sockets)
}
