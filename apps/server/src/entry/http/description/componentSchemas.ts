import { endpoints } from '@firmquote/core/endpoints'
import * as wire from '@firmquote/core/wire'
import * as z from 'zod/mini'

/** A JSON Schema (2020-12) in a document. */
export type JsonSchema = Record<string, unknown>

/**
 * Shapes that documents refer to by name. The server decodes requests and responses with the same shapes. Core's
 * registry contains their descriptions.
 */
const named = {
  Address: wire.address,
  Bytes32: wire.bytes32,
  Uint256: wire.uint256,
  PositiveUint256: wire.positiveUint256,
  Signature: wire.signature,
  RfqId: wire.rfqId,
  PublicRfqId: wire.publicRfqId,
  UnixSeconds: wire.unixSeconds,
  UnixMilliseconds: wire.unixMilliseconds,
  SignedQuote: wire.signedQuoteShape,
  StoredQuote: wire.storedQuoteShape,
  QuotePage: wire.quotePageShape,
  RFQRequest: wire.rfqRequestShape,
  RFQ: wire.rfqShape,
  RFQBroadcast: wire.rfqBroadcastShape,
  RFQStarted: wire.rfqStartedShape,
  RFQProgress: wire.rfqProgressShape,
  CollectedQuote: wire.collectedQuoteShape,
  RFQResult: wire.rfqResultShape,
  RFQSummary: wire.rfqSummaryShape,
  RFQObservations: wire.rfqObservationsShape,
  PoolRates: wire.poolRatesShape,
  CurrentRates: wire.currentRatesShape,
  AccountPositions: endpoints.getPositions.answers[200].shape,
  ServiceConfig: wire.serviceConfigShape,
  ServiceHealth: wire.serviceHealthShape,
  Problem: wire.problemShape,
  RFQStreamError: wire.rfqStreamErrorShape,
  AuthMessage: wire.authMessageShape,
  ClientMessage: wire.clientMessageShape,
  ServerMessage: wire.serverMessageShape,
} satisfies Record<string, z.core.$ZodType>

/** A schema's name in the documents. */
export type SchemaName = keyof typeof named

const names = new Map<z.core.$ZodType, string>(Object.entries(named).map(([name, shape]) => [shape, name]))

/** A reference to a named schema. */
export const refTo = (name: SchemaName): JsonSchema => ({ $ref: pointer(name) })

const pointer = (name: string) => `#/components/schemas/${name}`

/** The named schemas that part of a document references, directly or indirectly. */
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

/** The named schema itself. */
export const namedSchema = (name: SchemaName): JsonSchema => allSchemas()[name] ?? {}

/** A shape's schema, with references to named schemas. */
export function schemaOf(shape: z.core.$ZodType): JsonSchema {
  const own = names.get(shape)
  return own === undefined ? (render({ inline: shape })['inline'] ?? {}) : { $ref: pointer(own) }
}

let rendered: Record<string, JsonSchema> | undefined

function allSchemas(): Record<string, JsonSchema> {
  rendered ??= render({})
  return rendered
}

function render(more: Record<string, z.core.$ZodType>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries<z.core.$ZodType>({ ...named, ...more })) registry.add(shape, { id })
  const { schemas } = z.toJSONSchema(registry, {
    // Describes the encoded form, not the decoded one.
    io: 'input',
    metadata: wire.wireRegistry,
    uri: pointer,
    override: ({ jsonSchema }) => {
      // Decoders map unknown codes to `INTERNAL`, a default that the server never sends.
      if (jsonSchema.default === 'INTERNAL') delete jsonSchema.default
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as JsonSchema]),
  )
}
