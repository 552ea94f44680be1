import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Latencies } from './latencies.ts'

/** The requests that the client sends, and how. */
export type RequestJob = {
  /** Where to: `http://localhost:<port>`, a server on 127.0.0.1; to several in turn, connection by connection. */
  url: string | readonly string[]
  /** The path of all requests. */
  path: string
  /** The JSON bodies, each sent once. */
  bodies: readonly string[]
  connections: number
  /** The status that every answer must have. */
  status: number
  /** Requests per second; absent: each connection sends its next request as soon as it has its answer. */
  rate?: number
  /** Nothing more is sent after this number of seconds. */
  seconds?: number
}

/** The answers. Latencies count from when a request was due, so that a stall counts for all that it held up. */
export type RequestResult = { answers: number; perSecond: number; latencies: Latencies }

const client = fileURLToPath(new URL('./rawHttpClient.ts', import.meta.url))

/**
 * Sends requests from a process of their own, which is gone afterwards.
 *
 * @throws {TypeError} when an answer has another status, or none comes.
 */
export async function sendRequests(job: RequestJob): Promise<RequestResult> {
  const child = fork(client, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    return await new Promise<RequestResult>((resolve, reject) => {
      child.once('message', (message: { result: RequestResult } | { failure: string }) => {
        if ('result' in message) resolve(message.result)
        else reject(new TypeError(message.failure))
      })
      child.once('exit', () => reject(new TypeError('The client ended without a result.')))
      child.send(job)
    })
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}
