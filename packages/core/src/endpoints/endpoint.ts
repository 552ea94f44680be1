import type { Address, Hex } from 'viem'
import type { SerializedSignedQuote } from '../quote/quote.ts'
import type { Code } from '../quote/rejection.ts'
import type { Shape } from '../wire/index.ts'

/** A working example of a request value. */
export type Example = { summary: string; value: unknown }

/** Live data for the API description's examples, from the service that serves the description. */
export type ExampleFacts = {
  poolId: Hex
  /** Unix seconds. The current time, which selects the pool's next active series. */
  expiry: number
  account: Address
  /** A listed quote and its hash, or null if no quote is listed. */
  listed: { hash: Hex; quote: SerializedSignedQuote } | null
  /** A quote whose deadline has passed, and its hash. */
  passed: { hash: Hex; quote: SerializedSignedQuote }
}

/** A response from an endpoint: JSON with a shape, text without one, or a stream of server-sent events. */
export type EndpointAnswer = {
  readonly description: string
  readonly shape?: Shape<unknown>
  /** Default: `application/json` if there is a shape, otherwise `text/plain`. */
  readonly mediaType?: string
  /** Headers in addition to those of every response. */
  readonly headers?: readonly string[]
  /** A stream's events, by name. */
  readonly events?: Readonly<Record<string, { readonly shape: Shape<unknown>; readonly summary: string }>>
}

/**
 * Describes one method of one path: its input, responses and errors. The server's router, the API description and the
 * client are derived from this record.
 */
export type Endpoint = {
  readonly id: string
  readonly method: 'get' | 'post' | 'delete'
  /** Path relative to `/api/v1`, unless `root` is set. Parameters are in braces. */
  readonly path: string
  readonly root?: true
  readonly tag: 'Quotes' | 'Auctions' | 'Makers' | 'Markets' | 'Service'
  readonly summary: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, Shape<unknown>>>
  /** The query string. Repeated and unknown keys are rejected. */
  readonly query?: Shape<unknown>
  readonly body?: Shape<unknown>
  /** Request headers that the endpoint reads. All are optional. */
  readonly headers?: Readonly<Record<string, { readonly shape: Shape<unknown>; readonly description: string }>>
  /** Whether only makers may use the endpoint, authenticated by the `Authorization` header. */
  readonly authorization?: true
  readonly answers: { readonly [status: number]: EndpointAnswer }
  /** Errors in addition to `commonProblems` and, if there is a body, `bodyProblems`. */
  readonly problems: readonly Code[]
  /** Examples by parameter name. Examples of the request body are under `body`. */
  readonly examples?: (facts: ExampleFacts) => Record<string, Record<string, Example>>
}

/** Declares an endpoint. The endpoint's types are inferred from the record. */
export function endpoint<const E extends Endpoint>(record: E): E {
  return record
}

type Decoded<Part> = Part extends Shape<infer Value> ? Value : undefined

/** An endpoint's decoded path parameters, by name. */
export type PathParameters<E extends Endpoint> = E extends { parameters: infer Shapes }
  ? { readonly [Name in keyof Shapes]: Decoded<Shapes[Name]> }
  : undefined

/** An endpoint's decoded query. */
export type Query<E extends Endpoint> = E extends { query: infer Part } ? Decoded<Part> : undefined

/** An endpoint's decoded body. */
export type Body<E extends Endpoint> = E extends { body: infer Part } ? Decoded<Part> : undefined

/** An endpoint's decoded request headers. Missing headers are undefined. */
export type Headers<E extends Endpoint> = E extends { headers: infer All }
  ? { readonly [Name in keyof All]: All[Name] extends { shape: infer Part } ? Decoded<Part> | undefined : never }
  : undefined

/** An endpoint's response with a given status: a value of its shape, or text. */
export type Answer<
  E extends Endpoint,
  Status extends keyof E['answers'] = 200 & keyof E['answers'],
> = E['answers'][Status] extends { shape: infer Part } ? Decoded<Part> : string
