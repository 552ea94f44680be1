import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WriteAnswer } from './serveWrites.ts'
import { decodeFailure, type EncodedFailure } from './writeFailure.ts'
import type { WriterSettings } from './writeOperations.ts'
import type { WriterChannel, WriterChannelEvents } from './writer.ts'

/** An answer as sent between threads. */
export type SentAnswer = { value: unknown } | { failure: EncodedFailure }

/** Messages of the thread: `opened` or `lost` first, then answers. */
export type WriterMessage = { opened: true } | { lost: EncodedFailure } | { answers: SentAnswer[] }

/** The thread's file: TypeScript when run from sources, otherwise JavaScript. */
export const writerThread = new URL(`./writerThread${extname(import.meta.url)}`, import.meta.url)

/** Opens a channel to a writer thread, so that this thread never waits for the disk. */
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
