import type { Hex } from 'viem'
import { startService } from '../processes.ts'
import type { AnswerResult, RawBackers } from './rawBackers.ts'

/** Authenticated backers in a process of their own. */
export type Backers = {
  /**
   * Calls `openRfqs`, which must open as many RFQs as there are lists of quotes. When every backer has received all of them
   * and `onReceived` is done, the backers answer.
   *
   * @throws {TypeError} when a quote is refused or a socket closes.
   */
  answer(
    quotes: readonly (readonly string[])[],
    openRfqs: () => void,
    how?: { rate?: number | undefined; onReceived?: () => unknown },
  ): Promise<AnswerResult>
  stop(): Promise<void>
}

/** Connects a backer for each maker, to several servers in turn. */
export async function connectBackers(
  makers: readonly { privateKey: Hex }[],
  ...wsUrls: readonly string[]
): Promise<Backers> {
  const service = startService<RawBackers>(new URL('rawBackers.ts', import.meta.url))
  try {
    await service.call('connect', { wsUrls, keys: makers.map(({ privateKey }) => privateKey) })
  } catch (error) {
    await service.stop()
    throw error
  }
  return {
    async answer(quotes, openRfqs, { rate, onReceived } = {}) {
      await service.call('expect', quotes.length)
      openRfqs()
      await service.call('received')
      await onReceived?.()
      return service.call('answer', { quotes, rate })
    },
    stop: service.stop,
  }
}
