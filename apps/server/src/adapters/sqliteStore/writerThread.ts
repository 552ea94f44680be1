// The thread that writes: it alone changes the database, and it alone waits for the disk.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './openDatabase.ts'
import { serveWrites, type WriteRequest } from './serveWrites.ts'
import { encodeFailure } from './writeFailure.ts'
import { createWriteOperations, type WriterOptions } from './writeOperations.ts'
import type { SentAnswer } from './writerChannel.ts'

const options = workerData as WriterOptions
const database = await openDatabase(options.file)
const serve = serveWrites(database, createWriteOperations(options, database.run), (answers) =>
  parentPort?.postMessage(
    answers.map((answer): SentAnswer => ('error' in answer ? { failure: encodeFailure(answer.error) } : answer)),
  ),
)

parentPort?.on('message', (requests: WriteRequest[] | null) => {
  if (requests) serve(requests)
  else {
    database.close()
    parentPort?.close()
  }
})
