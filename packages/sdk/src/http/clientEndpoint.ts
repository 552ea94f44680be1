// Why: docs/decisions/0002-generated-client-endpoints.md
import type { RFQRequest } from '@firmquote/core'
import type { Answer, Endpoint, PathParameters, Query } from '@firmquote/core/endpoints'
import { checkedPositiveUint256, checkedUint256, encodeJson, guardInput } from '@firmquote/core/utils'
import { rejectMilliseconds } from '../checkSeconds.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import type { Shape } from '../wire/shape.ts'

type Called<E extends Endpoint> = {
  readonly method: 'GET' | 'POST'
  /** The path relative to `/api/v1`, with parameters in braces. */
  readonly path: string
  readonly parameters?: { readonly [Name in keyof PathParameters<E>]: Shape<PathParameters<E>[Name]> }
  /** The allowed query parameters, and whether each one is an amount. */
  readonly query?: { readonly [Name in keyof Query<E> & string]: boolean }
  /** Validates a body as the service does, before it is sent. */
  readonly body?: Shape<unknown>
}

/** An endpoint that responds with JSON. */
export type JsonEndpoint<E extends Endpoint> = Called<E> & {
  readonly answer: Shape<Answer<E>>
  /** The HTTP statuses above 299 whose response body is a result, unless it is a problem document. */
  readonly statuses?: readonly number[]
}

/** An endpoint that responds with a stream of events. */
export type StreamEndpoint<E extends Endpoint> = Called<E> & {
  readonly events: {
    readonly [Name in keyof Events<E>]: Shape<Events<E>[Name] extends { shape: infer S } ? Value<S> : never>
  }
}

type Events<E extends Endpoint> = E['answers'][200] extends { events: infer All } ? All : never
type Value<S> = S extends { _zod: { output: infer T } } ? T : never

/** The input of a call. */
export type CallInput<E extends Endpoint> = {
  parameters?: PathParameters<E>
  query?: Partial<Query<E>>
  /** The serialized body. */
  body?: string
  /** An idempotency key, which makes a write safe to retry. */
  idempotencyKey?: string
  /** An integrator's API key. Sent only with requests that open an auction. */
  apiKey?: string | undefined
  /** Authenticates maker reads, and is sent with no other request. */
  authorization?: string
  /** The caller's trace context. */
  traceparent?: string | undefined
  /** The id of the event after which the stream resumes. */
  lastEventId?: string
}

/**
 * Validates and serializes a body.
 *
 * @throws {InvalidInputError} if it is malformed.
 */
export function encodeBody({ body: check }: { readonly body?: Shape<unknown> }, value: unknown): string {
  return guardInput('request', () => {
    const body = encodeJson(value) ?? 'null'
    check?.(JSON.parse(body), '')
    return body
  })
}

const misnamedTerms = {
  amount: 'notional',
  borrower: 'taker',
  market: 'poolId',
  maxApr: 'maxVrtAmount',
  maxCost: 'maxVrtAmount',
}

/**
 * Like {@link encodeBody}, but for a borrower's request, whose amounts are bigints.
 *
 * @throws {InvalidInputError} if it is malformed.
 */
export function encodeRfqRequest(endpoint: { readonly body?: Shape<unknown> }, given: RFQRequest): string {
  const request = { ...given }
  rejectMisnamedOptions(request, misnamedTerms)
  const { notional, minNotional, maxVrtAmount, expiry } = request
  checkedPositiveUint256(notional, 'notional')
  if (minNotional !== undefined) checkedPositiveUint256(minNotional, 'minNotional')
  if (maxVrtAmount !== undefined) checkedUint256(maxVrtAmount, 'maxVrtAmount')
  rejectMilliseconds(expiry, 'expiry')
  return encodeBody(endpoint, request)
}

/** Encodes a request's headers and options. */
export function encodeRequest<E extends Endpoint>(
  { body, idempotencyKey, apiKey, authorization, traceparent, lastEventId }: CallInput<E>,
  accept: string,
): { headers: Record<string, string>; redirect: 'follow' | 'manual'; body?: string } {
  return {
    headers: {
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(authorization !== undefined && { authorization }),
      ...(traceparent !== undefined && { traceparent }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    // A redirect must not forward the body, the authorization or the key to another service.
    redirect: body === undefined && authorization === undefined && apiKey === undefined ? 'follow' : 'manual',
    ...(body !== undefined && { body }),
  }
}

/**
 * Encodes a call's path and query string.
 *
 * @throws {InvalidInputError} if a parameter is malformed.
 */
export function encodeTarget<E extends Endpoint>(endpoint: Called<E>, { parameters, query }: CallInput<E>): string {
  const shapes: Record<string, Shape<unknown>> = endpoint.parameters ?? {}
  const values: Record<string, unknown> = parameters ?? {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(shapes[name]?.(values[name], name)))
  const search = new URLSearchParams()
  const known: Readonly<Record<string, boolean>> = endpoint.query ?? {}
  guardInput('filters', () => {
    for (const [key, value] of Object.entries(query ?? {})) {
      if (value === undefined) continue
      if (!(key in known)) {
        throw new InvalidInputError(`is unknown. Use ${Object.keys(known).join(', ')}.`, { path: key })
      }
      if (known[key]) checkedUint256(value, key)
      else rejectMilliseconds(value, key)
      search.set(key, String(value))
    }
  })
  return search.size === 0 ? path : `${path}?${search}`
}
