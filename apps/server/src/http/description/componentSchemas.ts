import * as wire from '@firmquote/core/wire'
import * as z from 'zod/mini'

/** A JSON Schema (2020-12), as it stands in a document. */
export type JsonSchema = Record<string, unknown>

type Named = { shape: z.core.$ZodType; description?: string }

/**
 * The shapes that the documents name. They are the very shapes that read requests and answers; what their checks ask for
 * comes from core's registry.
 */
const named = {
  Address: { shape: wire.address },
  Bytes32: { shape: wire.bytes32 },
  Uint256: { shape: wire.uint256 },
  PositiveUint256: { shape: wire.positiveUint256 },
  Signature: { shape: wire.signature },
  RfqId: { shape: wire.rfqId },
  UnixSeconds: { shape: wire.unixSeconds },
  UnixMilliseconds: { shape: wire.unixMilliseconds },
  SignedQuote: {
    shape: wire.signedQuoteShape,
    description:
      "A maker's signed offer: the nine fields of `QuoteMarket.Quote` and the EIP-712 signature over them. Amounts are raw units of the pool's loan token. `taker` zero lets anyone take it; `deadline` is its last Unix second.",
  },
  StoredQuote: {
    shape: wire.storedQuoteShape,
    description:
      "A quote as it is kept: its EIP-712 digest, its rate (simple APR in percent), where it stands and, once it has ended, where that was seen on the chain. `executable`, `reason`, `overcommitted` and `judgedAt` (the block) are said in lists. An auction's quotes show without their signature.",
  },
  QuotePage: {
    shape: wire.quotePageShape,
    description: 'Quotes, and the cursor of the next page; null on the last one.',
  },
  RFQRequest: { shape: wire.rfqRequestShape },
  RFQ: { shape: wire.rfqShape, description: "An auction's terms, with the series that was found for them." },
  RFQStarted: {
    shape: wire.rfqStartedShape,
    description: "A stream's first event: the terms, and how many were asked.",
  },
  CollectedQuote: {
    shape: wire.collectedQuoteShape,
    description: 'A quote that an auction has collected. `apr` is percent, simple, over the remaining term.',
  },
  RFQResult: { shape: wire.rfqResultShape, description: 'What an auction has come to; quotes are best first.' },
  RFQSummary: {
    shape: wire.rfqSummaryShape,
    description: "A stream's last event: the close. `ranking` has the quotes' hashes, best first.",
  },
  RFQObservations: {
    shape: wire.rfqObservationsShape,
    description: 'Quotes seen in auctions lately, newest first and without signatures; `rfqId` is the public id.',
  },
  PoolRates: {
    shape: wire.poolRatesShape,
    description:
      "The pools: the lending market of each, with what is put up there (`collateral`; null when there is none, or the pool's adapter tells of none), its floating rate and the active series.",
  },
  CurrentRates: { shape: wire.currentRatesShape, description: 'The floating rate of every lending market.' },
  AccountPositions: {
    shape: wire.accountPositionsShape,
    description: "An account's variable-rate debts in the pools' markets, and its open fixed positions, at one block.",
  },
  ServiceConfig: {
    shape: wire.serviceConfigShape,
    description: 'The chain, the contracts, the EIP-712 domain, how long an auction lasts, and the limits in force.',
  },
  ServiceHealth: { shape: wire.serviceHealthShape, description: 'How the service is, and what time its clock has.' },
  Problem: {
    shape: wire.problemShape,
    description:
      'An error (RFC 9457). `code` is stable; `errors` says where in the request the mistakes are, `details` has the facts behind a refusal. The `requestId` is also in the header `X-Request-Id` and in the log.',
  },
  RFQStreamError: { shape: wire.rfqStreamErrorShape, description: 'The server has to stop; the auction is over.' },
  AuthMessage: { shape: wire.authMessageShape, description: 'The answer to a challenge.' },
  ClientMessage: { shape: wire.clientMessageShape, description: 'What an authenticated backer may send.' },
  ServerMessage: { shape: wire.serverMessageShape, description: 'What the service sends to a backer.' },
} satisfies Record<string, Named>

/** The name of a schema that documents may point to. */
export type SchemaName = keyof typeof named

const names = new Map<z.core.$ZodType, string>(Object.entries(named).map(([name, { shape }]) => [shape, name]))

/** Points to a named schema of the document. */
export const refTo = (name: SchemaName): JsonSchema => ({ $ref: pointer(name) })

const pointer = (name: string) => `#/components/schemas/${name}`

/** The named schemas that a part of a document points to, and those that they point to. */
export function componentSchemas(part: unknown): Record<string, JsonSchema> {
  const all = allSchemas()
  const kept = new Set<string>()
  const keep = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (kept.has(name)) continue
      kept.add(name)
      keep(all[name] ?? null)
    }
  }
  keep(part)
  return Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)))
}

/** A named schema itself. */
export const namedSchema = (name: SchemaName): JsonSchema => allSchemas()[name] ?? {}

/** The schema of any shape, pointing to the named ones in it. */
export function schemaOf(shape: z.core.$ZodType): JsonSchema {
  const own = names.get(shape)
  return own === undefined ? (render({ inline: { shape } })['inline'] ?? {}) : { $ref: pointer(own) }
}

let rendered: Record<string, JsonSchema> | undefined

function allSchemas(): Record<string, JsonSchema> {
  rendered ??= render({})
  return rendered
}

function render(more: Record<string, Named>): Record<string, JsonSchema> {
  const registry = z.registry<Record<string, unknown>>()
  for (const [id, { shape, description }] of Object.entries<Named>({ ...named, ...more })) {
    registry.add(shape, { ...wire.wireRegistry.get(shape), ...(description && { description }), id })
  }
  const { schemas } = z.toJSONSchema(registry, {
    // What travels, not what it is decoded to.
    io: 'input',
    metadata: registry,
    uri: pointer,
    override: ({ jsonSchema }) => {
      // Reading an unknown code as INTERNAL is the reader's business: nothing is sent by default.
      if (jsonSchema.default === 'INTERNAL') delete jsonSchema.default
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as JsonSchema]),
  )
}
