// Why: docs/decisions/0019-group-commit.md
import type { Clock } from '@firmquote/core'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { createSlicedTask } from '../../scheduling/slicedTask.ts'
import type { WriteAnswer, WriteName, WriteRequest } from './serveWrites.ts'
import type { WriteOperations } from './writeOperations.ts'

/** A way to the connection that writes: it answers each batch, or several at once, in their order. */
export type WriterChannel = {
  send(requests: readonly WriteRequest[]): void
  /** Ends it, once nothing is waiting. */
  close(): Promise<void>
}

/** What a channel reports. */
export type WriterChannelEvents = {
  /** Its connection is open. */
  opened(): void
  answered(answers: readonly WriteAnswer[]): void
  /** It has ended; what is waiting will not be answered. */
  lost(cause: unknown): void
}

/** Opens a channel. */
export type OpenWriter = (events: WriterChannelEvents) => WriterChannel

/** Passes writes on, and their answers back. */
export type Writer = {
  /**
   * Resolves after the commit.
   *
   * @throws {StorageUnavailableError} when there is no channel: nothing was stored.
   * @throws {OutcomeUnknownError} when the channel was lost with the write under way.
   */
  write<Name extends WriteName>(
    name: Name,
    argument: Parameters<WriteOperations[Name]>[0],
  ): Promise<ReturnType<WriteOperations[Name]>>
  /** @throws {StorageUnavailableError} when there is no channel. */
  check(): void
  /** Ends after everything that is waiting has been answered. */
  close(): Promise<void>
}

/** How a writer treats a channel that it has lost. */
export type WriterOptions = {
  clock: Clock
  /** Told of every loss: whether another channel may be opened. */
  onLost(cause: unknown): boolean
}

/** One is being committed, the next is there when that is done. */
const batchesUnderWay = 2
/** So many acknowledgements at once hold up nothing else: what follows from them is some milliseconds' worth. */
const largestBatch = 128
/** Between a loss and the next opening: doubled each time, until a write succeeds. */
const [firstDelayMs, longestDelayMs] = [100, 2_000]

/**
 * Creates a writer. The writes of one tick travel together, and so does all that comes while enough is under way: every
 * batch is a message between threads and a wait for the disk. The channel is opened for the first of them, and again when it
 * was lost; until that one is open, writes are refused.
 */
export function createWriter(open: OpenWriter, { clock, onLost }: WriterOptions): Writer {
  type Waiting = { succeed(value: unknown): void; fail(error: unknown): void }
  const waiting: Waiting[] = []
  let answeredUpTo = 0
  const batch: WriteRequest[] = []
  const underWay: number[] = []
  let channel: WriterChannel | null = null
  let failure: StorageUnavailableError | null = null
  let lossesInARow = 0
  let closing = false
  let cancelOpening = () => {}
  let drained: (() => void) | null = null

  const forgetAnswered = () => {
    waiting.splice(0, answeredUpTo)
    answeredUpTo = 0
    if (waiting.length === 0) drained?.()
  }

  const answered = (answers: readonly WriteAnswer[]) => {
    lossesInARow = 0
    for (const answer of answers) {
      const write = waiting[answeredUpTo++]
      if ('error' in answer) write?.fail(answer.error)
      else write?.succeed(answer.value)
    }
    forgetAnswered()
    let left = answers.length
    while (underWay[0] !== undefined && underWay[0] <= left) left -= underWay.shift() ?? 0
    if (underWay[0] !== undefined) underWay[0] -= left
    if (!sending.isScheduled()) send()
  }

  const lose = (cause: unknown) => {
    channel = null
    failure ??= new StorageUnavailableError('The database is not written to at the moment.', { cause })
    const notSent = waiting.length - batch.length
    const unknown = new OutcomeUnknownError('The thread that writes was lost during the write.', { cause })
    for (const [index, { fail }] of waiting.entries()) fail(index < notSent ? unknown : failure)
    batch.length = 0
    underWay.length = 0
    answeredUpTo = waiting.length
    forgetAnswered()
    if (!onLost(cause) || closing) return
    cancelOpening = clock.after(Math.min(firstDelayMs * 2 ** lossesInARow, longestDelayMs), connect)
    lossesInARow += 1
  }

  const connect = (): WriterChannel => {
    const isCurrent = () => channel === opening
    const opening = open({
      opened() {
        if (isCurrent()) failure = null
      },
      answered(answers) {
        if (isCurrent()) answered(answers)
      },
      lost(cause) {
        if (isCurrent()) lose(cause)
      },
    })
    channel = opening
    return opening
  }

  const send = () => {
    while (batch.length > 0 && underWay.length < batchesUnderWay) {
      const requests = batch.splice(0, largestBatch)
      underWay.push(requests.length)
      const to = channel ?? connect()
      to.send(requests)
    }
  }
  const sending = createSlicedTask(send)

  const check = () => {
    if (failure) throw failure
  }

  return {
    write(name, argument) {
      return new Promise((resolve, reject) => {
        check()
        waiting.push({
          succeed: (value) => resolve(value as ReturnType<WriteOperations[typeof name]>),
          fail: reject,
        })
        batch.push([name, argument] as WriteRequest)
        if (underWay.length < batchesUnderWay) sending.schedule()
      })
    },
    check,
    async close() {
      closing = true
      cancelOpening()
      if (waiting.length > 0)
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      await channel?.close()
    },
  }
}
