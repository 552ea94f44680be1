import { type Address, getAddress, type Hex, isAddress, isHex, size } from 'viem'
import * as z from 'zod/mini'
import { parseUint256 } from '../uint256.ts'
import { described } from './wireRegistry.ts'

/** A uint256 as a plain decimal string, decoded to bigint. */
export const uint256 = /* @__PURE__ */ described(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => parseUint256(text) !== null,
          'must be a decimal string of a uint256 (no sign, no leading zero)',
        ),
      ),
    z.transform((text: string) => parseUint256(text) ?? 0n),
  ),
  {
    description: 'A uint256 as a decimal string: no sign, no leading zero, below 2^256.',
    pattern: '^(?:0|[1-9][0-9]{0,77})$',
  },
)

/** A uint256 above zero. */
export const positiveUint256 = /* @__PURE__ */ described(
  z.pipe(
    z
      .string()
      .check(z.refine((text) => (parseUint256(text) ?? 0n) > 0n, 'must be a decimal string of a uint256 above zero')),
    z.transform((text: string) => parseUint256(text) ?? 0n),
  ),
  {
    description: 'A uint256 above zero as a decimal string: no sign, no leading zero, below 2^256.',
    pattern: '^[1-9][0-9]{0,77}$',
  },
)

const mostKnownAddresses = 8_192
const knownAddresses = /* @__PURE__ */ new Map<string, Address>()

/** The same few makers send nearly all quotes: a checksum costs a hash, and viem's own memory is asked three times. */
function readAddress(text: string): Address | null {
  const known = knownAddresses.get(text)
  if (known !== undefined) return known
  if (!isAddress(text)) return null
  const address = getAddress(text)
  if (knownAddresses.size >= mostKnownAddresses) knownAddresses.clear()
  knownAddresses.set(text, address)
  return address
}

/** An address: all lower-case or with a right EIP-55 checksum; decoded to its checksummed form. */
export const address = /* @__PURE__ */ described(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => readAddress(text) !== null,
          'must be an address: 20 bytes of hex, all lower-case or with a right EIP-55 checksum',
        ),
      ),
    z.transform((text: string): Address => readAddress(text) ?? getAddress(text)),
  ),
  {
    description: 'An address. In answers with its EIP-55 checksum; in requests all lower-case or with the right one.',
    pattern: '^0x[0-9a-fA-F]{40}$',
  },
)

/** Exactly 32 bytes of hex, decoded to lower case. */
export const bytes32 = /* @__PURE__ */ described(
  z.pipe(
    z
      .string()
      .check(z.refine((text) => isHex(text) && text.length === 66, 'must be 32 bytes of hex (0x and 64 digits)')),
    z.transform((text: string) => text.toLowerCase() as Hex),
  ),
  { description: '32 bytes of hex; lower-case in answers.', pattern: '^0x[0-9a-fA-F]{64}$' },
)

/** A signature's bytes. How many there are is judged with the signature, so that its code says what is wrong. */
export const signature = /* @__PURE__ */ described(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => isHex(text) && text.length % 2 === 0 && size(text) <= 4096,
          'must be hex (0x and whole bytes)',
        ),
      ),
    z.transform((text: string) => text.toLowerCase() as Hex),
  ),
  {
    description:
      "The maker's EIP-712 signature: 65 bytes, v 27 or 28, low s; or whatever the maker's contract takes by ERC-1271.",
    pattern: '^0x(?:[0-9a-fA-F]{2}){0,4096}$',
  },
)

/** Unix seconds as a JSON number. */
export const unixSeconds = /* @__PURE__ */ described(
  z
    .number()
    .check(z.refine((value) => Number.isSafeInteger(value) && value > 0, 'must be a whole number of Unix seconds')),
  { description: 'Unix seconds.', type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
)

/** Unix milliseconds as a JSON number. */
export const unixMilliseconds = /* @__PURE__ */ described(z.number(), { description: 'Unix milliseconds.' })

/** The id of an auction: 32 lower-case hex digits. */
export const rfqId = /* @__PURE__ */ described(
  z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits')),
  { description: 'The id of an auction: 32 lower-case hex digits.' },
)
