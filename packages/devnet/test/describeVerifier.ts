import { hashQuote, type QuoteDomain, type SignedQuote } from '@firmquote/core'
import { createQuoteVerifier, type QuoteVerifier } from '@firmquote/core/verifier'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToString,
  multicall3Abi,
  padHex,
  size,
  slice,
  trim,
} from 'viem'
import { devnetAddresses } from '../src/devnetAddresses.ts'
import { quoteMarketAbi } from '../src/generated/quoteMarket.ts'
import { type CorpusCase, createSignatureCorpus, curveOrder } from '../src/signatureCorpus.ts'
import { type Devnet, startDevnet } from '../src/startDevnet.ts'
import { createTestMaker } from '../src/testMaker.ts'

const batch = 300
/** The EVM's own ecrecover. */
const ecrecover: Address = '0x0000000000000000000000000000000000000001'

let devnet: Devnet
let domain: QuoteDomain
let verifier: QuoteVerifier
let corpus: CorpusCase[]

/**
 * The chain's verdict: whether the market accepts the signature, the signer according to ecrecover, and the quote's
 * hash.
 */
type ChainVerdict = { accepted: boolean; recovered: Address | undefined; hash: Hex }

async function readVerdicts(cases: readonly CorpusCase[]): Promise<ChainVerdict[]> {
  const market = { target: domain.quoteMarket, allowFailure: false }
  const borrower = devnet.borrowers[0].address
  const calls = cases.flatMap(({ signed }) => {
    const args = [signed, signed.signature, borrower] as const
    return [
      { ...market, callData: encodeFunctionData({ abi: quoteMarketAbi, functionName: 'previewTakeQuote', args }) },
      { ...market, callData: encodeFunctionData({ abi: quoteMarketAbi, functionName: 'hashQuote', args: [signed] }) },
      { target: ecrecover, allowFailure: false, callData: ecrecoverInput(signed) },
    ]
  })
  const address = devnetAddresses.multicall3
  const read = { address, abi: multicall3Abi, functionName: 'aggregate3', args: [calls] } as const
  const result = await devnet.publicClient.readContract(read)
  return cases.map((_case, index) => {
    const [preview, hash, recovered] = result.slice(3 * index, 3 * index + 3).map(({ returnData }) => returnData)
    return {
      accepted: isAccepted(preview ?? '0x'),
      hash: hash ?? '0x',
      recovered: recovered === '0x' || recovered === undefined ? undefined : getAddress(slice(recovered, 12)),
    }
  })
}

function isAccepted(data: Hex): boolean {
  const [, reason] = decodeFunctionResult({ abi: quoteMarketAbi, functionName: 'previewTakeQuote', data })
  const text = hexToString(trim(reason, { dir: 'right' })).replace('\0', '')
  // The market checks makers' funds after the signature.
  expect(['', 'INSUFFICIENT_BALANCE', 'BAD_SIGNATURE']).toContain(text)
  return text !== 'BAD_SIGNATURE'
}

function ecrecoverInput(signed: SignedQuote): Hex {
  const { signature } = signed
  if (size(signature) !== 65) return '0x'
  const v = padHex(slice(signature, 64), { size: 32 })
  return concatHex([hashQuote(signed, domain), v, slice(signature, 0, 64)])
}

/** An independent implementation of the contract's rules beyond ecrecover. */
function faultOf({ signature }: SignedQuote) {
  if (size(signature) !== 65) return 'not_65_bytes'
  if (!['1b', '1c'].includes(signature.slice(-2).toLowerCase())) return 'v_not_27_or_28'
  return BigInt(slice(signature, 32, 64)) > curveOrder / 2n ? 'high_s' : undefined
}

/** Compares the verifier with the deployed contract on a corpus of `perCategory` signatures per category. */
export function describeVerifier(seed: number, perCategory: number): void {
  const timeout = 60_000 + 500 * perCategory

  describe(`createQuoteVerifier, on ${perCategory} signatures of each category, seed ${seed}`, () => {
    beforeAll(async () => {
      devnet = await startDevnet()
      domain = { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket }
      verifier = await createQuoteVerifier(domain)
      const otherKeys = [`0x${'5a'.repeat(32)}`, `0x${'00'.repeat(31)}01`] as const
      const keys = [...devnet.backers.map(({ privateKey }) => privateKey), ...otherKeys]
      const quote = await createTestMaker(devnet).quote()
      corpus = await createSignatureCorpus(String(seed), perCategory, quote, keys, domain)
    }, timeout)
    afterAll(() => devnet.stop())

    test('default: every category has the right outcome', () => {
      expect(corpus.length).toBeGreaterThanOrEqual(38 * perCategory)
      const accepted = new Map<string, number>()
      for (const { category, signed } of corpus) {
        accepted.set(category, (accepted.get(category) ?? 0) + Number(verifier.verifyQuote(signed)))
      }
      expect(accepted.size).toBe(corpus.length / perCategory)
      for (const [category, count] of accepted) {
        expect({ category, count }).toEqual({ category, count: category.startsWith('valid') ? perCategory : 0 })
      }
      const faults = new Set(corpus.map(({ signed }) => verifier.recoverMaker(signed).fault))
      expect(faults).toEqual(new Set([undefined, 'not_65_bytes', 'v_not_27_or_28', 'high_s', 'unrecoverable']))
    })

    test(
      'behavior: hash, signer and verdict are those of the deployed contract',
      async () => {
        for (let start = 0; start < corpus.length; start += batch) {
          const cases = corpus.slice(start, start + batch)
          const verdicts = await readVerdicts(cases)
          for (const [index, { category, signed }] of cases.entries()) {
            const verdict = verdicts[index]
            const { signer, fault } = verifier.recoverMaker(signed)
            const ours = { accepted: verifier.verifyQuote(signed), hash: verifier.hashQuote(signed), signer, fault }
            const strict = faultOf(signed)
            const recovered = strict ? undefined : verdict?.recovered
            const expectedFault = strict ?? (recovered ? undefined : 'unrecoverable')
            const { accepted, hash } = verdict ?? {}
            const theirs = { accepted, hash, signer: recovered, fault: expectedFault }
            if (!isEqual(ours, theirs)) expect({ category, signed, ...ours }).toEqual({ category, signed, ...theirs })
          }
        }
      },
      timeout,
    )
  })
}

/** Compares two objects. Much faster than a Jest matcher, which matters for ten thousand comparisons. */
function isEqual<T extends object>(left: T, right: T): boolean {
  return Object.entries(left).every(([key, value]) => value === right[key as keyof T])
}
