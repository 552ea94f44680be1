import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { playLosses } from '../../../test/adapters/playLosses.ts'
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

useFolder(beforeEach, afterEach)

/** Creates a writer thread that, if a certain file exists, exits after a commit without answering. */
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

describe('a writer that is lost', () => {
  test('behavior: between commit and answer: the outcome is unknown, and repeating the call reveals it', async () => {
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
      // The data is stored, but the caller does not know it.
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

  test('behavior: that can never be reopened: every write is refused, and none hangs', async () => {
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

  test('behavior: with random losses, answers match the rows, and rejected writes are not stored', async () => {
    await playLosses(200, Math.floor(Math.random() * 2 ** 31))
  })
})
