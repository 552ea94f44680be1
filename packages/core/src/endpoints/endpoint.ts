import type { Address, Hex } from 'viem'
import type { SerializedSignedQuote } from '../quote/quote.ts'
import type { Code } from '../quote/rejection.ts'
import type { Shape } from '../wire/index.ts'

/** An example value of a request that works as is. */
export type Example = { summary: string; value: unknown }

/** Existing data of the service whose description contains the examples. */
export type ExampleFacts = {
  poolId: Hex
  /** Unix seconds. The time now, so that it selects the pool's next active series. */
  expiry: number
  account: Address
  /** A listed quote and its hash, or null when there is none. */
  listed: { hash: Hex; quote: SerializedSignedQuote } | null
  /** A quote whose deadline has passed, and its hash. */
  passed: { hash: Hex; quote: SerializedSignedQuote }
}

/** One answer of an endpoint: JSON of a shape, text if there is no shape, or a stream of server-sent events. */
export type EndpointAnswer = {
  readonly description: string
  readonly shape?: Shape<unknown>
  /** Default: `application/json` with a shape, `text/plain` without. */
  readonly mediaType?: string
  /** Headers in addition to those of every answer. */
  readonly headers?: readonly string[]
  /** The events of a stream, by name. */
  readonly events?: Readonly<Record<string, { readonly shape: Shape<unknown>; readonly summary: string }>>
}

/**
 * One method of one path: its input, its answers and its errors. The server's router, the API description and the
 * client are derived from it.
 */
export type Endpoint = {
  readonly id: string
  readonly method: 'get' | 'post' | 'delete'
  /** Relative to `/api/v1` unless `root` is set. Parameters are in braces. */
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
  /** Whether the endpoint answers makers only, authenticated by the header `Authorization`. */
  readonly authorization?: true
  readonly answers: { readonly [status: number]: EndpointAnswer }
  /** Errors in addition to `commonProblems` and, with a body, `bodyProblems`. */
  readonly problems: readonly Code[]
  /** Examples by parameter name. The examples of the body are under `body`. */
  readonly examples?: (facts: ExampleFacts) => Record<string, Record<string, Example>>
}

/** Declares an endpoint. Its types are inferred from the record. */
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

/** The decoded request headers of an endpoint. Undefined where a header was not sent. */
export type Headers<E extends Endpoint> = E extends { headers: infer All }
  ? { readonly [Name in keyof All]: All[Name] extends { shape: infer Part } ? Decoded<Part> | undefined : never }
  : undefined

/** An endpoint's answer with a given status: the value of its shape, or text. */
export type Answer<
  E extends Endpoint,
  Status extends keyof E['answers'] = 200 & keyof E['answers'],
> = E['answers'][Status] extends { shape: infer Part } ? Decoded<Part> : string
