import type { Attempt } from './judgeResponse.ts'
import type { Body } from './nodeConnection.ts'

/** The outcome of a batch: each call's attempt, or null if the batch failed or the node refuses batches of its size. */
export type BatchAttempt = Attempt & { each: Attempt[] | null }

/** Maximum number of calls per batch, and of concurrent calls to a node without batches. */
const [maxTogether, maxSingle] = [100, 20]
/** Size below which a rate limit does not reduce batches. */
const minLimited = 10

/**
 * Creates a function that sends calls made in the same tick as one JSON-RPC batch. If the node refuses a batch, later
 * batches are half as large; a node that refuses two calls gets single calls.
 */
export function createCallBatches({
  askOne,
  askTogether,
}: {
  askOne(body: Body): Promise<Attempt>
  askTogether(bodies: Body[]): Promise<BatchAttempt>
}): (body: Body) => Promise<Attempt> {
  type Waiting = { body: Body; resolve(attempt: Attempt): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let most = maxTogether

  const askAlone = (calls: readonly Waiting[]) =>
    Promise.all(calls.map(({ body, resolve, reject }) => askOne(body).then(resolve, reject)))

  const sendChunk = async (calls: readonly Waiting[]) => {
    if (calls.length === 1 || most === 1) return askAlone(calls)
    try {
      const { each, ...whole } = await askTogether(calls.map(({ body }) => body))
      if (each) {
        const again = calls.filter((_, index) => each[index]?.fault !== null)
        calls.forEach(({ resolve }, index) => {
          const attempt = each[index]
          if (attempt?.fault === null) resolve(attempt)
        })
        if (again.length < calls.length) await send(again)
        else await askAlone(again)
      } else if (whole.fault === null) {
        most = Math.max(1, Math.min(most, calls.length >> 1))
        await send(calls)
      } else {
        // A node that counts each call of a batch may accept fewer of them.
        if (whole.fault === 'limited') most = Math.max(minLimited, most >> 1)
        for (const { resolve } of calls) resolve(whole)
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  const send = async (calls: readonly Waiting[]) => {
    for (let start = 0; start < calls.length; ) {
      const size = most === 1 ? maxSingle : most
      await sendChunk(calls.slice(start, start + size))
      start += size
    }
  }

  return (body) =>
    new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject })
      if (waiting.length > 1) return
      setImmediate(() => {
        const calls = waiting
        waiting = []
        void send(calls)
      })
    })
}
