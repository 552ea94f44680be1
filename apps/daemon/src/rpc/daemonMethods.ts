import { type PublicRfqId, type QuoteMarketQuote, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { decode, publicRfqId, quoteShape, type Shape, signedQuoteShape } from '@firmquote/core/wire'
import type { RpcMethods } from '@firmquote/node-runtime/socket/answerMessage'
import * as z from 'zod/mini'
import type { DaemonControl } from '../app/daemonControl.ts'
import {
  encodeDaemonQuote,
  encodePolicy,
  encodeRaisedNonce,
  encodeRfq,
  encodeStatus,
  encodeVerdict,
} from './daemonResults.ts'
import { invalidParams, toRpcError } from './toRpcError.ts'

/** All methods of the daemon's socket. */
export const daemonMethodNames = [
  'status',
  'getAddress',
  'getPolicy',
  'setPolicy',
  'pause',
  'resume',
  'listRfqs',
  'listQuotes',
  'signQuote',
  'submitQuote',
  'raiseNonce',
  'shutdown',
] as const

/** Name of one of the daemon's methods. */
export type DaemonMethodName = (typeof daemonMethodNames)[number]

/** Accepts no parameters: either none, or an empty object or array. */
const nothingShape: Shape<unknown> = z.optional(z.union([z.strictObject({}), z.tuple([])]))
/** Any JSON object. The policy validates its fields. */
const changesShape: Shape<Record<string, unknown>> = z.custom(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
const signShape: Shape<{ quote: QuoteMarketQuote }> = z.strictObject({ quote: quoteShape })
const submitShape: Shape<{ rfqId: PublicRfqId; quote: SignedQuote }> = z.strictObject({
  rfqId: publicRfqId,
  quote: signedQuoteShape,
})

/**
 * Creates the socket's methods. Methods decode named parameters and encode results in the format that `RfqDaemonClient`
 * expects.
 */
export function createDaemonMethods(control: DaemonControl): RpcMethods {
  const methods = {
    status: plain(async () => encodeStatus(await control.status())),
    getAddress: plain(async () => ({ address: await control.getAddress() })),
    getPolicy: plain(async () => encodePolicy(await control.getPolicy())),
    setPolicy: method(changesShape, async (changes) => encodePolicy(await control.setPolicy(changes))),
    pause: plain(async () => {
      await control.pause()
      return { paused: true }
    }),
    resume: plain(async () => {
      await control.resume()
      return { paused: false }
    }),
    listRfqs: plain(async () => ({ rfqs: (await control.listRfqs()).map(encodeRfq) })),
    listQuotes: plain(async () => ({ quotes: (await control.listQuotes()).map(encodeDaemonQuote) })),
    signQuote: method(signShape, async ({ quote }) => serializeSignedQuote(await control.signQuote(quote))),
    submitQuote: method(submitShape, async ({ rfqId: id, quote }) =>
      encodeVerdict(await control.submitQuote(id, quote)),
    ),
    raiseNonce: plain(async () => encodeRaisedNonce(await control.raiseNonce())),
    shutdown: plain(async () => {
      await control.shutdown()
      return null
    }),
  } satisfies Record<DaemonMethodName, RpcMethods[string]>
  return methods
}

function plain(call: () => Promise<unknown>): RpcMethods[string] {
  return method(nothingShape, call)
}

function method<T>(shape: Shape<T>, call: (params: T) => Promise<unknown>): RpcMethods[string] {
  return async (params) => {
    const decoded = decode(shape, params)
    if (!decoded.ok) throw invalidParams(decoded.issues)
    try {
      return await call(decoded.value)
    } catch (error) {
      throw toRpcError(error)
    }
  }
}
