// Only the writer thread changes the database or waits for the disk.
import { parentPort, workerData } from 'node:worker_threads'
import { type OpenDatabase, openDatabase } from './openDatabase.ts'
import { encodeFailure } from './writeFailure.ts'
import type { SentAnswer, WriterMessage } from './writer.ts'
import { createWriteOperations, serveWrites, type WriteRequest, type WriterSettings } from './writes.ts'

const settings = workerData as WriterSettings
const say = (message: WriterMessage) => parentPort?.postMessage(message)

try {
  serve(await openDatabase(settings))
} catch (error) {
  say({ lost: encodeFailure(error) })
  parentPort?.close()
}

function serve(database: OpenDatabase): void {
  const take = serveWrites(database, createWriteOperations(settings, database.run), (answers) =>
    say({
      answers: answers.map(
        (answer): SentAnswer => ('error' in answer ? { failure: encodeFailure(answer.error) } : answer),
      ),
    }),
  )
  parentPort?.on('message', (requests: WriteRequest[] | null) => {
    if (requests) take(requests)
    else {
      database.close()
      parentPort?.close()
    }
  })
  say({ opened: true })
}
