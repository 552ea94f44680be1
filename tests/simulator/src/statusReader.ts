import { decodeOrThrow, serverMessageShape } from '@firmquote/core/wire'
import type { Address } from 'viem'
import type { ActorDeps } from './borrowers.ts'
import type { Process } from './instanceState.ts'
import type { StatusCursor } from './oracle.ts'
import type { Random } from './random.ts'
import { createLine } from './remote.ts'

/** A maker's client for status updates. The client remembers received sequence numbers across connections. */
export type StatusReader = ReturnType<typeof createStatusReader>

const retryMs = 500

/** Creates one maker's client. */
export function createStatusReader(
  { timeline, trace, oracle }: Pick<ActorDeps, 'timeline' | 'trace' | 'oracle'>,
  maker: Address,
  random: Random,
) {
  const received = new Set<number>()
  let last = 0
  return {
    /**
     * Subscribes to a process's status updates, and resumes after the last sequence number received. Returns a function
     * that unsubscribes.
     */
    join({ life, service: { statuses } }: Process) {
      let isOpen = true
      const travel = createLine(timeline, random)
      let leave = () => {}
      const begin = async () => {
        const newest = await statuses.newest(maker)
        if (!isOpen) return
        const place: StatusCursor = { maker, next: newest + 1 }
        const resume = () => {
          if (isOpen && joined.resume({ seq: last }) && joined.resume({ seq: 0 }))
            oracle.violation('a session is resuming twice at the same time')
        }
        const receive = (frame: string) => {
          const message = decodeOrThrow(serverMessageShape, JSON.parse(frame), 'A frame to a maker')
          if (message.type === 'error') timeline.at(timeline.now() + retryMs, resume)
          if (message.type === 'resumed') trace.note('statuses resumed', String(message.seq))
          if (message.type !== 'quote_status') return
          if (received.has(message.seq)) trace.note('status again')
          received.add(message.seq)
          while (received.has(last + 1)) last += 1
        }
        const joined = statuses.join(
          {
            address: maker,
            taken: () =>
              random.chance(0.25)
                ? new Promise((resolve) => void life.after(random.between(1, 300), resolve))
                : Promise.resolve(),
            send(frame) {
              if (!isOpen || !life.isAlive()) return
              oracle.statusSent(place, frame)
              travel(() => isOpen && receive(frame))
            },
          },
          newest,
        )
        leave = joined.leave
        resume()
      }
      const attempt = () => {
        if (isOpen) void begin().catch(() => life.after(retryMs, attempt))
      }
      attempt()
      return () => {
        isOpen = false
        leave()
      }
    },
  }
}
