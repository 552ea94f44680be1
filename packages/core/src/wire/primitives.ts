import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { type EventId, parseEventId } from '../auction/eventId.ts'
import { parseIdempotencyKey } from '../auction/idempotencyKey.ts'
import { type PublicRfqId, parsePublicRfqId, parseRfqId, type RfqId } from '../auction/rfqId.ts'
import { isSequenceNumber } from '../auction/sequence.ts'
import { type Code, codes } from '../quote/rejection.ts'
import { parseAddress, parseBytes32, parseSignature } from '../values/parseHex.ts'
import { parseTraceparent } from '../values/traceparent.ts'
import { parsePositiveUint256, parseUint256 } from '../values/uint256.ts'
import { isUnixSeconds } from '../values/unixSeconds.ts'
import type { Shape } from './decode.ts'
import { annotated, described, field, type ShapeFacts, type WireFacts } from './wireRegistry.ts'

/** A string that `parse` accepts. `parse` is called once per value. */
export function parsedText<T>(
  facts: ShapeFacts & { parse: (text: string) => T | null; expected: string },
  schema: WireFacts,
): Shape<T> {
  const { parse, expected } = facts
  const read = (text: string, payload: z.core.ParsePayload): T => {
    const value = parse(text)
    if (value === null) payload.issues.push({ code: 'custom', message: `must be ${expected}`, input: text })
    return value as T
  }
  return described(annotated(z.pipe(z.string(), z.transform(read)), facts), schema) as Shape<T>
}

/** A uint256 as a plain decimal string, decoded to bigint. */
export const uint256: Shape<bigint> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'bigint' },
    parse: parseUint256,
    expected: 'a decimal string of a uint256 (no sign, no leading zero)',
  },
  {
    description: 'A uint256 as a decimal string without sign or leading zeros, below 2^256.',
    pattern: '^(?:0|[1-9][0-9]{0,77})$',
  },
)

/** A positive uint256. */
export const positiveUint256: Shape<bigint> = /* @__PURE__ */ parsedText(
  { type: { name: 'bigint' }, parse: parsePositiveUint256, expected: 'a decimal string of a positive uint256' },
  {
    description: 'A positive uint256 as a decimal string without sign or leading zeros, below 2^256.',
    pattern: '^[1-9][0-9]{0,77}$',
  },
)

/** An address, all lower-case or with a valid EIP-55 checksum. Decoded to its checksummed form. */
export const address: Shape<Address> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'Address', from: 'viem' },
    parse: parseAddress,
    expected: 'an address: 20 bytes of hex, all lower-case or with a valid EIP-55 checksum',
  },
  {
    description:
      'An address. In responses it has an EIP-55 checksum. In requests it may be all lower-case or have a valid checksum.',
    pattern: '^0x[0-9a-fA-F]{40}$',
  },
)

/** Exactly 32 bytes as hex, decoded to lower case. */
export const bytes32: Shape<Hex> = /* @__PURE__ */ parsedText(
  { type: { name: 'Hex', from: 'viem' }, parse: parseBytes32, expected: '32 bytes of hex (0x and 64 digits)' },
  { description: '32 bytes as hex, in lower case in responses.', pattern: '^0x[0-9a-fA-F]{64}$' },
)

/**
 * A signature's bytes, of any length. The signature check validates the length, so that the error code states the
 * reason.
 */
export const signature: Shape<Hex> = /* @__PURE__ */ parsedText(
  { type: { name: 'Hex', from: 'viem' }, parse: parseSignature, expected: 'hex (0x and whole bytes)' },
  {
    description:
      "The maker's EIP-712 signature: 65 bytes, v 27 or 28, low s. For a contract maker, any bytes that its ERC-1271 check accepts.",
    pattern: '^0x(?:[0-9a-fA-F]{2}){0,1024}$',
  },
)

/** Unix seconds as a JSON number. */
export const unixSeconds: Shape<number> = /* @__PURE__ */ described(
  /* @__PURE__ */ annotated(z.number().check(z.refine(isUnixSeconds, 'must be a whole number of Unix seconds')), {
    type: { name: 'number' },
    accepts: isUnixSeconds,
    expected: 'a whole number of Unix seconds',
  }),
  { description: 'Unix seconds.', type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
)

/** A sequence number; 0 precedes the first entry. */
export const sequenceNumber: Shape<number> = /* @__PURE__ */ described(
  /* @__PURE__ */ annotated(z.number().check(z.refine(isSequenceNumber, 'must be a non-negative integer')), {
    type: { name: 'number' },
    accepts: isSequenceNumber,
    expected: 'a non-negative integer',
  }),
  { description: 'A non-negative integer.', type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
)

/** Unix milliseconds as a JSON number. */
export const unixMilliseconds: Shape<number> = /* @__PURE__ */ described(/* @__PURE__ */ z.number(), {
  description: 'Unix milliseconds.',
})

/** An auction's secret id, for its borrower. */
export const rfqId: Shape<RfqId> = /* @__PURE__ */ parsedText(
  { type: { name: 'RfqId', from: '../auction/rfqId.ts' }, parse: parseRfqId, expected: '32 lower-case hex digits' },
  { description: "The borrower's secret id for an auction: 32 lower-case hex digits.", pattern: '^[0-9a-f]{32}$' },
)

/** An auction's public id. */
export const publicRfqId: Shape<PublicRfqId> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'PublicRfqId', from: '../auction/rfqId.ts' },
    parse: parsePublicRfqId,
    expected: '32 lower-case hex digits',
  },
  { description: 'The public id of an auction: 32 lower-case hex digits.', pattern: '^[0-9a-f]{32}$' },
)

/** A request's idempotency key. */
export const idempotencyKey: Shape<string> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'string' },
    parse: parseIdempotencyKey,
    expected: '22 to 128 random characters of A-Z, a-z, 0-9, - and _',
  },
  { description: 'A key of at least 128 random bits.', pattern: '^[A-Za-z0-9_-]{22,128}$' },
)

/** An integrator's API key. */
export const apiKey: Shape<string> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'string' },
    parse: (text) => (/^[\w-]{22,128}$/.test(text) ? text : null),
    expected: '22 to 128 characters of A-Z, a-z, 0-9, - and _',
  },
  { description: 'A key issued by the operator.', pattern: '^[A-Za-z0-9_-]{22,128}$' },
)

/** A stream event's id: `<rfqId>:<n>`. */
export const lastEventId: Shape<EventId> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'EventId', from: '../auction/eventId.ts' },
    parse: parseEventId,
    expected: 'the id of an event, <rfqId>:<n>',
  },
  { description: 'An event id: `<rfqId>:<n>`.', pattern: '^[0-9a-f]{32}:(0|[1-9][0-9]{0,8})$' },
)

/** A message's trace context. */
export const traceparent: Shape<string> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'string' },
    parse: parseTraceparent,
    expected: 'a traceparent of W3C Trace Context, version 00',
  },
  {
    description: 'A W3C Trace Context `traceparent`, version 00.',
    pattern: '^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$',
  },
)

/** An error code. Codes unknown to this version are decoded as `INTERNAL`. */
export const code = /* @__PURE__ */ described(
  /* @__PURE__ */ annotated(/* @__PURE__ */ z.catch(z.enum(codes), 'INTERNAL' satisfies Code), {
    type: { name: 'Code', from: '../quote/rejection.ts' },
  }),
  { description: 'The error code. Later versions of the service may add further codes.' },
)

/** Details of a rejection. */
export const details = /* @__PURE__ */ field(
  z.exactOptional(z.record(z.string(), z.unknown())),
  'Details of the rejection.',
)
