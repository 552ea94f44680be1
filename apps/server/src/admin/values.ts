import { parsePublicRfqId } from '@firmquote/core'
import { parseBytes32 } from '@firmquote/core/utils'
import { getAddress, isAddress } from 'viem'
import { parseDuration } from '../domain/controls/parseDuration.ts'
import type { Value } from './command.ts'

/** An address. */
export const address: Value = {
  name: 'ADDRESS',
  expected: 'an address: 20 bytes of hex, all lower-case or with a valid EIP-55 checksum',
  parse: (given) => (isAddress(given) ? getAddress(given) : undefined),
}

/** A duration, which stays text: the server computes the end. */
export const duration: Value = {
  name: 'DURATION',
  expected: 'a duration like 30m, 24h or 7d',
  parse: (given) => (parseDuration(given) === null ? undefined : given),
}

/** An auction's public id. */
export const publicId: Value = {
  name: 'ID',
  expected: 'a public id of 32 lower-case hex digits',
  parse: (given) => parsePublicRfqId(given) ?? undefined,
}

/** A text of up to `most` UTF-16 code units. */
export function text(most: number): Value {
  return {
    name: 'TEXT',
    expected: `a text of 1 to ${most} characters`,
    parse: (given) => (given.length >= 1 && given.length <= most ? given : undefined),
  }
}

/** A pool's ID. */
export const poolId: Value = idOf('POOL_ID')

/** A series' key. */
export const seriesKey: Value = idOf('SERIES_KEY')

function idOf(name: string): Value {
  return { name, expected: '32 bytes of hex (0x and 64 digits)', parse: (given) => parseBytes32(given) ?? undefined }
}

/** A whole number in a range, both ends included. */
export function wholeNumber(least: number, most: number): Value {
  return {
    name: 'N',
    expected:
      most === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${least}`
        : `a whole number from ${least} to ${most}`,
    parse(given) {
      const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

/** A name that the server checks. */
export function nameOf(name: string, expected: string): Value {
  return { name, expected, parse: (text) => text.trim() || undefined }
}
