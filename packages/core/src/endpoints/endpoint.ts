import type { Address, Hex } from 'viem'
import type { SerializedSignedQuote } from '../quote/quote.ts'
import type { Code } from '../quote/rejection.ts'
import type { Shape } from '../wire/index.ts'

/** A value of a request that can be sent as it stands. */
export type Example = { summary: string; value: unknown }

/** What exists in the service whose description the examples are for. */
export type ExampleFacts = {
  poolId: Hex
  /** Unix seconds: now, so that it picks the pool's next active series. */
  expiry: number
  account: Address
  /** A quote of the book with its hash; null when there is none. */
  listed: { hash: Hex; quote: SerializedSignedQuote } | null
  /** A quote whose deadline has passed, and its hash. */
  passed: { hash: Hex; quote: SerializedSignedQuote }
}

/** One answer of an endpoint: JSON of a shape, text without one, or a stream of server-sent events. */
export type EndpointAnswer = {
  readonly description: string
  readonly shape?: Shape<unknown>
  /** Default `application/json` with a shape, `text/plain` without one. */
  readonly mediaType?: string
  /** Headers beside those of every answer. */
  readonly headers?: readonly string[]
  /** The events of a stream by their name. */
  readonly events?: Readonly<Record<string, { readonly shape: Shape<unknown>; readonly summary: string }>>
}

/**
 * One method of one path: what it takes, what it answers and what can go wrong. The server's router, the API's
 * description and the client follow from it.
 */
export type Endpoint = {
  readonly id: string
  readonly method: 'get' | 'post' | 'delete'
  /** Under `/api/v1` unless `root` says otherwise; parameters in braces. */
  readonly path: string
  readonly root?: true
  readonly tag: 'Quotes' | 'Auctions' | 'Makers' | 'Markets' | 'Service'
  readonly summary: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, Shape<unknown>>>
  /** The query string; every key comes at most once, unknown keys are refused. */
  readonly query?: Shape<unknown>
  readonly body?: Shape<unknown>
  /** Headers of the request that mean something here; all are optional. */
  readonly headers?: Readonly<Record<string, { readonly shape: Shape<unknown>; readonly description: string }>>
  /** Answers a maker alone, who is proven by the header `Authorization`. */
  readonly authorization?: true
  readonly answers: { readonly [status: number]: EndpointAnswer }
  /** What can go wrong, besides `commonProblems` and, with a body, `bodyProblems`. */
  readonly problems: readonly Code[]
  /** Examples by parameter name; the body's under `body`. */
  readonly examples?: (facts: ExampleFacts) => Record<string, Record<string, Example>>
}

/** Describes an endpoint; its types follow from the record. */
export function endpoint<const E extends Endpoint>(record: E): E {
  return record
}

type Decoded<Part> = Part extends Shape<infer Value> ? Value : undefined

/** The decoded parameters of an endpoint's path, by name. */
export type PathParameters<E extends Endpoint> = E extends { parameters: infer Shapes }
  ? { readonly [Name in keyof Shapes]: Decoded<Shapes[Name]> }
  : undefined

/** The decoded query of an endpoint. */
export type Query<E extends Endpoint> = E extends { query: infer Part } ? Decoded<Part> : undefined

/** The decoded body of an endpoint. */
export type Body<E extends Endpoint> = E extends { body: infer Part } ? Decoded<Part> : undefined

/** The decoded headers of an endpoint's request; undefined where one was not sent. */
export type Headers<E extends Endpoint> = E extends { headers: infer All }
  ? { readonly [Name in keyof All]: All[Name] extends { shape: infer Part } ? Decoded<Part> | undefined : never }
  : undefined

/** What an endpoint answers with a status: the value of its shape, or text. */
export type Answer<
  E extends Endpoint,
  Status extends keyof E['answers'] = 200 & keyof E['answers'],
> = E['answers'][Status] extends { shape: infer Part } ? Decoded<Part> : string
