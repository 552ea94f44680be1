// Why: docs/decisions/0002-generated-client-endpoints.md
import { checkedPositiveUint256, checkedUint256, encodeJson, guardInput, type RFQRequest } from '@firmquote/core'
import type { Answer, Endpoint, PathParameters, Query } from '@firmquote/core/endpoints'
import type { Shape } from '../wire/shape.ts'

type Called<E extends Endpoint> = {
  readonly method: 'GET' | 'POST'
  /** Under `/api/v1`; parameters in braces. */
  readonly path: string
  readonly parameters: { readonly [Name in keyof PathParameters<E>]: Shape<PathParameters<E>[Name]> }
  /** The names that a query may have, and whether each is an amount. */
  readonly query?: { readonly [Name in keyof Query<E> & string]: boolean }
  /** Checks a body before it is sent: the service would refuse the same. */
  readonly body?: Shape<unknown>
}

/** An endpoint that answers with JSON. */
export type JsonEndpoint<E extends Endpoint> = Called<E> & {
  readonly answer: Shape<Answer<E>>
  /** Every status whose body is the answer. */
  readonly statuses: readonly number[]
}

/** An endpoint that answers with a stream of events. */
export type StreamEndpoint<E extends Endpoint> = Called<E> & {
  readonly events: {
    readonly [Name in keyof Events<E>]: Shape<Events<E>[Name] extends { shape: infer S } ? Value<S> : never>
  }
}

type Events<E extends Endpoint> = E['answers'][200] extends { events: infer All } ? All : never
type Value<S> = S extends { _zod: { output: infer T } } ? T : never

/** What a call of an endpoint carries. */
export type CallInput<E extends Endpoint> = {
  parameters?: PathParameters<E>
  query?: Partial<Query<E>>
  /** The body as it travels. */
  body?: string
  /** Makes a request that is no read safe to be sent again. */
  idempotencyKey?: string
  /** An integrator's key: it goes with what opens an auction, and with nothing else. */
  apiKey?: string | undefined
  /** Proves the maker who reads; it goes nowhere else. */
  authorization?: string
  /** The place in the caller's trace. */
  traceparent?: string | undefined
  /** The event that a stream goes on after. */
  lastEventId?: string
}

/**
 * Encodes a body and checks it.
 *
 * @throws {InvalidInputError} when it is malformed.
 */
export function encodeBody({ body: check }: { readonly body?: Shape<unknown> }, value: unknown): string {
  return guardInput('request', () => {
    const body = encodeJson(value) ?? 'null'
    check?.(JSON.parse(body), '')
    return body
  })
}

/**
 * The same for what a borrower asks for, whose amounts a program has as bigints.
 *
 * @throws {InvalidInputError} when it is malformed.
 */
export function encodeRfqRequest(endpoint: { readonly body?: Shape<unknown> }, given: RFQRequest): string {
  const request = { ...given }
  const { notional, minNotional, maxVrtAmount } = request
  checkedPositiveUint256(notional, 'notional')
  if (minNotional !== undefined) checkedPositiveUint256(minNotional, 'minNotional')
  if (maxVrtAmount !== undefined) checkedUint256(maxVrtAmount, 'maxVrtAmount')
  return encodeBody(endpoint, request)
}

/** What a request is sent with, beside its method. */
export function encodeRequest<E extends Endpoint>(
  { body, idempotencyKey, apiKey, authorization, traceparent, lastEventId }: CallInput<E>,
  accept: string,
): { headers: Record<string, string>; redirect: 'follow' | 'manual'; body?: string } {
  return {
    headers: {
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(idempotencyKey !== undefined && apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(authorization !== undefined && { authorization }),
      ...(traceparent !== undefined && { traceparent }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    // What a body says, and who reads, is for this service alone.
    redirect: body === undefined && authorization === undefined ? 'follow' : 'manual',
    ...(body !== undefined && { body }),
  }
}

/**
 * The path and the query string of a call.
 *
 * @throws {InvalidInputError} when a parameter is malformed.
 */
export function encodeTarget<E extends Endpoint>(endpoint: Called<E>, { parameters, query }: CallInput<E>): string {
  const shapes: Record<string, Shape<unknown>> = endpoint.parameters
  const values: Record<string, unknown> = parameters ?? {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(shapes[name]?.(values[name], name)))
  const search = new URLSearchParams()
  const known: Readonly<Record<string, boolean>> = endpoint.query ?? {}
  guardInput('filters', () => {
    for (const [key, value] of Object.entries(query ?? {})) {
      if (value !== undefined) search.set(key, String(known[key] ? checkedUint256(value, key) : value))
    }
  })
  return search.size === 0 ? path : `${path}?${search}`
}
