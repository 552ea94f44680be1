// Why: docs/decisions/0019-group-commit.md
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@firmquote/core/utils'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { decodeFailure, type EncodedFailure } from './writeFailure.ts'
import type { WriteAnswer, WriteName, WriteOperations, WriteRequest, WriterSettings } from './writes.ts'

/** A channel to the connection that writes. Batches are answered in order, one or more at a time. */
export type WriterChannel = {
  send(requests: readonly WriteRequest[]): void
  /** Closes the channel after all pending writes have completed. */
  close(): Promise<void>
}

/** Events of a channel. */
export type WriterChannelEvents = {
  /** The connection has been opened. */
  opened(): void
  answered(answers: readonly WriteAnswer[]): void
  /** The channel has ended, and pending writes will not be answered. */
  lost(cause: unknown): void
}

/** Opens a channel. */
export type OpenWriter = (events: WriterChannelEvents) => WriterChannel

/** Forwards writes to a channel and returns their answers. */
export type Writer = {
  /**
   * Resolves after the commit.
   *
   * @throws {StorageUnavailableError} if there is no channel; nothing was stored.
   * @throws {OutcomeUnknownError} if the channel was lost during the write.
   */
  write<Name extends WriteName>(
    name: Name,
    argument: Parameters<WriteOperations[Name]>[0],
  ): Promise<ReturnType<WriteOperations[Name]>>
  /** @throws {StorageUnavailableError} if there is no channel. */
  check(): void
  /** Closes the writer after all pending writes have completed. */
  close(): Promise<void>
}

/** Options of {@link createWriter}. */
export type WriterOptions = {
  clock: Clock
  /** Called whenever a channel is lost. Returns whether to open another channel. */
  onLost(cause: unknown): boolean
}

/** While one batch is being committed, the next one waits in the channel. */
const maxBatchesInFlight = 2
/**
 * Maximum writes per batch. Handling the answers to a full batch takes only a few milliseconds, so other work is hardly
 * delayed.
 */
const maxBatch = 128
/**
 * Bounds of the delay between losing a channel and trying to open another, in milliseconds. The delay doubles until a
 * write succeeds.
 */
const [firstDelayMs, maxDelayMs] = [100, 2_000]

/**
 * Creates a writer. Each batch requires a message between threads and a wait for the disk. The writer therefore batches
 * all writes made in one tick, and all that arrive while the maximum number of batches is in flight. The first write
 * opens the channel; after a loss, it is reopened. Writes are rejected until the channel is open again.
 */
export function createWriter(open: OpenWriter, { clock, onLost }: WriterOptions): Writer {
  type Waiting = { succeed(value: unknown): void; fail(error: unknown): void }
  const waiting: Waiting[] = []
  let answeredUpTo = 0
  const batch: WriteRequest[] = []
  const inFlight: number[] = []
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
    while (inFlight[0] !== undefined && inFlight[0] <= left) left -= inFlight.shift() ?? 0
    if (inFlight[0] !== undefined) inFlight[0] -= left
    if (!sending.isScheduled()) send()
  }

  const lose = (cause: unknown) => {
    channel = null
    failure ??= new StorageUnavailableError('The database is not accepting writes.', { cause })
    const notSent = waiting.length - batch.length
    const unknown = new OutcomeUnknownError('The writer thread was lost during the write.', { cause })
    for (const [index, { fail }] of waiting.entries()) fail(index < notSent ? unknown : failure)
    batch.length = 0
    inFlight.length = 0
    answeredUpTo = waiting.length
    forgetAnswered()
    if (!onLost(cause) || closing) return
    cancelOpening = clock.after(Math.min(firstDelayMs * 2 ** lossesInARow, maxDelayMs), connect)
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
    while (batch.length > 0 && inFlight.length < maxBatchesInFlight) {
      const requests = batch.splice(0, maxBatch)
      inFlight.push(requests.length)
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
        if (inFlight.length < maxBatchesInFlight) sending.schedule()
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

/** An answer as sent between threads. */
export type SentAnswer = { value: unknown } | { failure: EncodedFailure }

/** Messages from the thread: `opened` or `lost` first, then answers. */
export type WriterMessage = { opened: true } | { lost: EncodedFailure } | { answers: SentAnswer[] }

/** The thread's file: TypeScript when run from source, otherwise JavaScript. */
export const writerThread = new URL(`./writerThread${extname(import.meta.url)}`, import.meta.url)

/** Opens a channel to a writer thread, so that the calling thread never waits for the disk. */
export function openWriterThread(
  settings: WriterSettings,
  { opened, answered, lost }: WriterChannelEvents,
  program: URL = writerThread,
): WriterChannel {
  const thread = new Worker(program, { name: 'store', workerData: settings, execArgv: [] })
  let closing = false
  const gone = new Promise<void>((resolve) => {
    thread.once('exit', (code) => {
      if (!closing) lost(new TypeError(`The writer thread ended with code ${code}.`))
      resolve()
    })
  })
  thread.once('error', lost)
  thread.on('message', (message: WriterMessage) => {
    if ('opened' in message) opened()
    else if ('lost' in message) lost(decodeFailure(message.lost))
    else {
      answered(
        message.answers.map(
          (answer): WriteAnswer => ('failure' in answer ? { error: decodeFailure(answer.failure) } : answer),
        ),
      )
    }
  })

  return {
    send: (requests) => thread.postMessage(requests),
    close() {
      closing = true
      thread.postMessage(null)
      return gone
    },
  }
}
