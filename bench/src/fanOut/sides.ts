import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { alternate } from '../compare.ts'
import { figureOf } from '../figures.ts'
import { type Service, startLineProgram, startService } from '../processes.ts'
import type { RowContext } from '../row.ts'
import type { FanOutInstance } from './instance.ts'
import type { FanOutReaders } from './readers.ts'

/** A broadcaster and its readers. */
export type FanOutSide = {
  readers: Service<FanOutReaders>
  frameBytes: number
  /** Sends a frame to every reader; resolves to when that began, in nanoseconds of the monotonic clock. */
  broadcast(): Promise<bigint>
}

/** How often each side broadcasts in a round; the median is the round's figure. */
const broadcasts = 9
/** What another side may still be doing is over after this time. */
const restMs = 20

/** The readers' program, how many readers there are, and what ends the side again. */
export type SideOptions = { floor: string; backers: number; stack: AsyncDisposableStack }

/** The product: one instance, or several on NATS, each in a process of its own. The first one broadcasts. */
export async function startProduct(
  { floor, backers, stack }: SideOptions,
  { instances = 1, natsUrl }: { instances?: number; natsUrl?: string } = {},
): Promise<FanOutSide> {
  const key = randomBytes(32)
  const started = Array.from({ length: instances }, () => {
    const instance = startService<FanOutInstance>(new URL('instance.ts', import.meta.url))
    stack.defer(instance.stop)
    return instance
  })
  const listening = await Promise.all(started.map((one) => one.call('listen', { backers, natsUrl, key })))
  const ports = listening.map(({ port }) => port)
  const readers = await connectReaders({ kind: 'backer', ports, count: backers, floor }, stack)
  return {
    readers,
    frameBytes: listening[0]?.frameBytes ?? 0,
    broadcast: async () => started[0]?.call('broadcast') ?? 0n,
  }
}

/** The floor: a C loop of `send()` over as many connections, with as many bytes for each. */
export async function startFloor({ floor, backers, stack }: SideOptions, frameBytes: number): Promise<FanOutSide> {
  const connections: Socket[] = []
  const tcp = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => connections.push(socket))
  tcp.listen(0, '127.0.0.1', 4_096)
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const readers = await connectReaders({ kind: 'tcp', ports: [port], count: backers, floor }, stack)
  while (connections.length < backers) await sleep(1)
  const sender = startLineProgram(floor, ['send', String(connections.length)], connections)
  stack.defer(sender.stop)
  stack.defer(() => void tcp.close())
  const broadcast = async () => {
    sender.write(String(frameBytes))
    return BigInt(await sender.next())
  }
  return { readers, frameBytes, broadcast }
}

/** Milliseconds from the call that broadcasts to the last byte at the last reader, round by round. */
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
      await readers.call('expect', frameBytes * backers)
      const began = await broadcast()
      times.push(Number((await readers.call('last')) - began) / 1e6)
    }
    return figureOf(times).median
  })
}

async function connectReaders(job: Parameters<FanOutReaders['connect']>[0], stack: AsyncDisposableStack) {
  const readers = startService<FanOutReaders>(new URL('readers.ts', import.meta.url))
  stack.defer(readers.stop)
  await readers.call('connect', job)
  return readers
}
