import { toPublicRfqId } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { quoteShape, signedQuoteShape } from '@firmquote/core/wire'
import { serializeSignedQuote } from '@firmquote/sdk'
import { RfqDaemonClient } from '@firmquote/sdk/node'
import { type Context, show } from '../context.ts'
import { decodeInput } from '../decodeInput.ts'
import { UsageError } from '../errors.ts'
import { flatten } from '../format/flatten.ts'
import { renderFacts } from '../format/table.ts'

/** Options of `firmquote daemon`. */
export type DaemonOptions = { socket?: string; json?: boolean }

type Call = { signal: AbortSignal }
type Method = (client: RfqDaemonClient, params: () => Record<string, unknown>, call: Call) => Promise<unknown>

const done = () => ({ ok: true })

/** The daemon's methods, by name. */
export const daemonMethods: Readonly<Record<string, Method>> = {
  status: (client, _params, call) => client.status(call),
  getAddress: async (client, _params, call) => ({ address: await client.getAddress(call) }),
  getPolicy: (client, _params, call) => client.getPolicy(call),
  setPolicy: (client, params, call) => client.setPolicy(params(), call),
  pause: (client, _params, call) => client.pause(call).then(done),
  resume: (client, _params, call) => client.resume(call).then(done),
  listRfqs: async (client, _params, call) => ({ rfqs: await client.listRfqs(call) }),
  listQuotes: async (client, _params, call) => ({ quotes: await client.listQuotes(call) }),
  signQuote: (client, params, call) => client.signQuote(decodeInput(quoteShape, params()['quote'], 'The quote'), call),
  submitQuote: (client, params, call) => {
    const { rfqId, quote } = params()
    if (typeof rfqId !== 'string') throw new UsageError('submitQuote needs {"rfqId": "…", "quote": {…}}.')
    return client.submitQuote(
      toPublicRfqId(rfqId),
      serializeSignedQuote(decodeInput(signedQuoteShape, quote, 'The quote')),
      call,
    )
  },
  raiseNonce: (client, _params, call) => client.raiseNonce(call),
  shutdown: (client, _params, call) => client.shutdown(call).then(done),
}

const methodsWithParams: ReadonlySet<string> = new Set(['setPolicy', 'signQuote', 'submitQuote'])

/** Calls a method of the local backer daemon and prints its result. */
export async function daemon(
  context: Context,
  method: string,
  params: string | undefined,
  options: DaemonOptions,
): Promise<void> {
  const call = Object.hasOwn(daemonMethods, method) ? daemonMethods[method] : undefined
  if (call === undefined) {
    throw new UsageError(`The daemon has no such method. Available methods: ${Object.keys(daemonMethods).join(', ')}.`)
  }
  if (params !== undefined && !methodsWithParams.has(method)) throw new UsageError(`${method} takes no parameters.`)
  const socketPath = options.socket ?? (context.environment['FIRMQUOTE_SOCKET'] || undefined)
  const client = new RfqDaemonClient({ socketPath })
  try {
    const result = await call(client, () => parseParams(method, params), { signal: context.signal })
    show(context, options.json, result, () => renderFacts(flatten(JSON.parse(encodeJson(result))), context.style))
  } finally {
    client.close()
  }
}

function parseParams(method: string, text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Invalid JSON is reported by the error below.
  }
  throw new UsageError(`${method} needs a JSON object as its parameters.`)
}
