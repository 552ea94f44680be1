import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'
import type { Latencies } from './latencies.ts'

/** The keys of the backers, and where they connect to: to several servers in turn. */
export type ConnectJob = { wsUrl: string | readonly string[]; keys: readonly Hex[] }

/** For each RFQ that is about to open a quote of each backer, as JSON; backers at the end may have none. */
export type AnswerJob = {
  quotes: readonly (readonly string[])[]
  /** Quotes per second; absent: each backer sends its next quote as soon as it has its acknowledgement. */
  rate?: number
}

/** How long it took from the first byte sent to the last acknowledgement, all of them `accepted`. */
export type AnswerResult = { acks: number; elapsedMs: number; perSecond: number; latencies: Latencies }

/** Authenticated backers in a process of their own. */
export type Backers = {
  /**
   * Calls `openRfqs`, which must open as many RFQs as there are lists of quotes; when every backer has received all of
   * them and `onReceived` is done, the backers answer.
   *
   * @throws {TypeError} when a quote is refused or a socket goes.
   */
  answer(
    quotes: AnswerJob['quotes'],
    openRfqs: () => void,
    how?: { rate?: number; onReceived?: () => unknown },
  ): Promise<AnswerResult>
  /** Ends the process; again is harmless. */
  stop(): Promise<void>
}

type Report = { result: AnswerResult | number } | { failure: string } | { listening: true } | { received: true }

const program = fileURLToPath(new URL('./rawBackers.ts', import.meta.url))

/** Connects a backer for each key. */
export async function connectBackers(job: ConnectJob): Promise<Backers> {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ask = (message: ConnectJob | AnswerJob, onListening = () => {}, onReceived: () => unknown = () => {}) =>
    new Promise<AnswerResult | number>((resolve, reject) => {
      const settle = (act: () => void) => {
        child.off('message', onReport).off('exit', onExit)
        act()
      }
      const onReport = (report: Report) => {
        if ('listening' in report) onListening()
        else if ('received' in report) void Promise.resolve(onReceived()).then(() => child.send('answer'))
        else if ('failure' in report) settle(() => reject(new TypeError(report.failure)))
        else settle(() => resolve(report.result))
      }
      const onExit = () => reject(new TypeError('The backers ended without a result.'))
      child.on('message', onReport).once('exit', onExit)
      child.send(message)
    })
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  try {
    await ask(job)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    answer: async (quotes, openRfqs, { rate, onReceived } = {}) =>
      (await ask({ quotes, ...(rate !== undefined && { rate }) }, openRfqs, onReceived)) as AnswerResult,
    stop,
  }
}
