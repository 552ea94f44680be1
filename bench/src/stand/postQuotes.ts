import { startService } from '../processes.ts'
import type { RawHttpClient, RequestJob, RequestResult } from './rawHttpClient.ts'

/**
 * Posts quotes to `/api/v1/quotes` from a process of its own, to several servers in turn.
 *
 * @throws {TypeError} when an answer is not 201, or none comes.
 */
export async function postQuotes(
  url: string | readonly string[],
  bodies: readonly string[],
  how: Pick<RequestJob, 'connections' | 'rate' | 'seconds'>,
): Promise<RequestResult> {
  const client = startService<RawHttpClient>(new URL('rawHttpClient.ts', import.meta.url))
  try {
    return await client.call('send', { urls: [url].flat(), bodies, ...how })
  } finally {
    await client.stop()
  }
}
