import { StorageUnavailableError } from '../../ports/errors.ts'
import { createTurnTask } from '../../scheduling/turnTask.ts'
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
  answered(answers: readonly WriteAnswer[]): void
  /** It has ended; what is waiting will not be answered. */
  lost(cause: unknown): void
}

/** Passes writes on, and their answers back. */
export type Writer = {
  /**
   * Resolves after the commit.
   *
   * @throws {StorageUnavailableError} when the channel is lost: whether the write is on disk is then unknown.
   */
  write<Name extends WriteName>(
    name: Name,
    argument: Parameters<WriteOperations[Name]>[0],
  ): Promise<ReturnType<WriteOperations[Name]>>
  /** @throws {StorageUnavailableError} when the channel is lost. */
  check(): void
  /** Ends after everything that is waiting has been answered. */
  close(): Promise<void>
}

/** One is being committed, the next is there when that is done. */
const batchesUnderWay = 2
/** So many acknowledgements at once hold up nothing else: what follows from them is some milliseconds' worth. */
const largestBatch = 128

/**
 * Creates a writer. The writes of one tick travel together, and so does all that comes while enough is under way: every
 * batch is a message between threads and a wait for the disk. The channel is opened for the first of them.
 */
export function createWriter(open: (events: WriterChannelEvents) => WriterChannel): Writer {
  type Waiting = { succeed(value: unknown): void; fail(error: unknown): void }
  const waiting: Waiting[] = []
  let answeredUpTo = 0
  const batch: WriteRequest[] = []
  const underWay: number[] = []
  let failure: StorageUnavailableError | null = null
  let drained: (() => void) | null = null

  const forgetAnswered = () => {
    waiting.splice(0, answeredUpTo)
    answeredUpTo = 0
    if (waiting.length === 0) drained?.()
  }

  const events: WriterChannelEvents = {
    answered(answers) {
      for (const answer of answers) {
        const write = waiting[answeredUpTo++]
        if ('error' in answer) write?.fail(answer.error)
        else write?.succeed(answer.value)
      }
      forgetAnswered()
      let answered = answers.length
      while (underWay[0] !== undefined && underWay[0] <= answered) answered -= underWay.shift() ?? 0
      if (underWay[0] !== undefined) underWay[0] -= answered
      if (!sending.isScheduled()) send()
    },
    lost(cause) {
      failure ??= new StorageUnavailableError('The database is no longer written to.', { cause })
      for (const { fail } of waiting) fail(failure)
      answeredUpTo = waiting.length
      forgetAnswered()
    },
  }
  let channel: WriterChannel | null = null

  const send = () => {
    while (batch.length > 0 && underWay.length < batchesUnderWay) {
      const requests = batch.splice(0, largestBatch)
      if (failure) return
      underWay.push(requests.length)
      channel ??= open(events)
      channel.send(requests)
    }
  }
  const sending = createTurnTask(send)

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
      if (waiting.length > 0)
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      await channel?.close()
    },
  }
}
