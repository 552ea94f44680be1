import type { ClientErrorOptions } from '../errors.ts'

/** Returns a response's status and request id, for errors. */
export function facts(response: Response): { status: number; requestId: string | undefined } {
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined }
}

/** Returns a response's facts and a hint, for errors about a response that is probably not from a service. */
export function unfit(response: Response): ClientErrorOptions {
  return { ...facts(response), details: 'Check that orderbookUrl is a Firmquote service, not an RPC node.' }
}
