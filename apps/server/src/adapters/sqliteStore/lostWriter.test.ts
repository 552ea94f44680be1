import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { checkAuctionHistories, type Reached, randomAuctionHistories } from '../../../test/adapters/auctionHistories.ts'
import {
  closedRecord,
  newAuction,
  newAuctionQuote,
  newClose,
  newQuote,
  openedAt,
  rfqId,
} from '../../../test/storedQuotes.ts'
import { waitUntil } from '../../../test/waitUntil.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { createSqliteStore } from './sqliteStore.ts'
import type { OpenWriter } from './writer.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'firmquote-writer-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** The thread that writes, which ends after a commit and before its answer when a file says so. */
function dyingWriter(): { program: URL; dieAfterCommit(): void; hasDied(): boolean } {
  const [file, order] = [join(directory, 'writer.mjs'), join(directory, 'die')]
  writeFileSync(
    file,
    `import { existsSync, rmSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    const post = parentPort.postMessage.bind(parentPort)
    parentPort.postMessage = (message) => {
      if (!('answers' in message) || !existsSync(${JSON.stringify(order)})) return post(message)
      rmSync(${JSON.stringify(order)})
      process.exit(3)
    }
    await import(${JSON.stringify(String(new URL('./writerThread.ts', import.meta.url)))})`,
  )
  return {
    program: pathToFileURL(file),
    dieAfterCommit: () => writeFileSync(order, ''),
    hasDied: () => !existsSync(order),
  }
}

/** Loses channels at random: before a batch is written, or between its commit and its answers. */
function losing(random: () => number): (open: OpenWriter) => OpenWriter {
  return (open) =>
    ({ opened, answered, lost }) => {
      const waiting: Parameters<ReturnType<OpenWriter>['send']>[0][] = []
      let isLost = false
      let isBusy = false
      const lose = () => {
        isLost = true
        lost(new TypeError('The test has ended the writer.'))
      }
      const inner = open({
        opened,
        lost,
        answered(answers) {
          isBusy = false
          if (random() < 0.1) {
            lose()
            return
          }
          answered(answers)
          next()
        },
      })
      // One batch at a time, so that nothing is written behind a loss.
      const next = () => {
        const batch = isBusy || isLost ? undefined : waiting.shift()
        if (!batch) return
        if (random() < 0.1) {
          lose()
          return
        }
        isBusy = true
        inner.send(batch)
      }
      return {
        send(requests) {
          waiting.push(requests)
          setImmediate(next)
        },
        close: inner.close,
      }
    }
}

/** Random numbers that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('a writer that is lost', () => {
  test('behavior: between commit and answer: the outcome is unknown, and the same call again finds it', async () => {
    const { program, dieAfterCommit, hasDied } = dyingWriter()
    const store = await createSqliteStore({ file: join(directory, 'firmquote.db'), writerProgram: program })
    await store.openAuction(newAuction())
    await store.acceptQuote(newAuctionQuote(1), openedAt)
    const writeUntilKnown = async <T>(write: () => Promise<T>): Promise<T> => {
      dieAfterCommit()
      await expect(write()).rejects.toThrow(OutcomeUnknownError)
      expect(hasDied()).toBe(true)
      await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
      await expect(store.probe()).rejects.toThrow(StorageUnavailableError)
      // It is there, whether its caller knows or not.
      let answer: T | undefined
      await waitUntil(async () => {
        answer = await write()
        return true
      })
      return answer as T
    }
    const quote = newAuctionQuote(2)
    const { receivedAt } = quote
    const accepted = { status: 'accepted', seq: 2, receivedAt }
    expect(await writeUntilKnown(() => store.acceptQuote(quote, openedAt))).toEqual(accepted)
    await expect(store.ping()).resolves.toBeUndefined()
    const auction = closedRecord(newAuction(), [newAuctionQuote(1), quote])
    expect(await writeUntilKnown(() => store.closeAuction(newClose()))).toEqual({ closedNow: false, auction })
    expect(await store.acceptQuote(quote, openedAt)).toEqual(accepted)
    expect(await writeUntilKnown(() => store.insertQuote(newQuote(9)))).toMatchObject({
      created: false,
      record: { listed: true },
    })
    expect(await store.findAuction({ rfqId })).toEqual(auction)
    await store.close()
  })

  test('behavior: that can never be opened: everything is refused, and nothing hangs', async () => {
    const program = `
      import { parentPort } from 'node:worker_threads'
      parentPort.once('message', () => { throw new TypeError('broken') })`
    const writerProgram = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
    const store = await createSqliteStore({ file: join(directory, 'firmquote.db'), writerProgram })
    await expect(store.ping()).resolves.toBeUndefined()
    const waiting = [store.insertQuote(newQuote(1)), store.openAuction(newAuction())]
    for (const answer of await Promise.allSettled(waiting)) {
      expect(answer).toMatchObject({ reason: expect.any(OutcomeUnknownError) })
    }
    await expect(store.insertQuote(newQuote(3))).rejects.toThrow(StorageUnavailableError)
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    expect(await store.findQuote(newQuote(1).hash)).toBeNull()
    await store.close()
  })

  test('behavior: at random: no answer disagrees with the rows, and what was refused is not there', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const store = await createSqliteStore({
      file: ':memory:',
      wrapWriter: losing(randomFrom(seed)),
      clock: {
        ...systemClock,
        after: (_, callback) => {
          const timer = setImmediate(callback)
          return () => clearImmediate(timer)
        },
      },
    })
    const count = 1_000
    const wanted = ['unknown at first', 'refused', 'accepted', 'closed now', 'order decided']
    const total: Reached = {}
    const missing = () => wanted.filter((name) => (total[name] ?? 0) <= count / 20)
    try {
      // Losses come in bursts: a thousand histories may meet few of them, and then more are lived.
      for (let part = 0; missing().length > 0 && part < 4; part += 1) {
        const reached = await checkAuctionHistories(store, randomAuctionHistories(count, seed + part), part * count)
        for (const [name, times] of Object.entries(reached)) total[name] = (total[name] ?? 0) + times
      }
      expect(missing()).toEqual([])
    } catch (cause) {
      throw new TypeError(`The histories of seed ${seed} failed.`, { cause })
    }
    await store.close()
  })
})
