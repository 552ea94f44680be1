// Why: docs/decisions/0030-contract-makers.md
import {
  type Address,
  bytesToHex,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  numberToHex,
  RpcRequestError,
  BaseError as ViemError,
  zeroAddress,
} from 'viem'
import { erc1271Abi } from '../abi/erc1271.ts'
import { quoteMarketAbi } from '../abi/quoteMarket.ts'
import type { SignedQuote } from '../generated/wireTypes.ts'
import type { BlockRef, QuoteState } from '../quote/judgeState.ts'
import type { Call } from './aggregate.ts'
import { createGate } from './gate.ts'

/** What calls into makers' contracts may take. */
export type ContractCallLimits = {
  /** Gas of one call. */
  gas: number
  /** Calls under way at the same time; others wait. */
  atOnce: number
}

/** A signature that an account may have given by its contract (ERC-1271). */
export type ContractSignature = { account: Address; digest: Hex; signature: Hex }

/** A quote whose maker's contract is asked. */
export type PreviewQuery = { quote: SignedQuote; hash: Hex }

/**
 * Calls into contracts of makers, which may be hostile: each is an `eth_call` of its own with a limit of gas, so that one
 * maker's contract costs no other quote anything. It comes from an account and with a gas price that a transaction could
 * have, so that a contract cannot easily consent to a reading alone. The node must know state overrides.
 */
export type ContractCalls = {
  /**
   * The verdict of `previewTakeQuote` on each quote at a block, in their order. One that has not come after `timeoutMs` has
   * the failure `silent`, as has one that the node did not run; one for which the maker's contract uses up the gas, `refused`.
   * Never rejects.
   *
   * @param borrower who would take them; by default each quote's own taker.
   * @param stopAtFailure whether a contract that failed once is not asked for its other quotes, which have `refused` then: for
   * quotes that their makers did sign once.
   */
  readPreviews(
    queries: readonly PreviewQuery[],
    at: { block: BlockRef; timeoutMs: number; borrower?: Address; stopAtFailure?: boolean },
  ): Promise<Preview[]>
  /**
   * Whether each account's contract accepts a signature at the newest block, in their order; null where there was no answer
   * within `timeoutMs`. Never rejects.
   */
  readSignatures(signatures: readonly ContractSignature[], at: { timeoutMs: number }): Promise<(boolean | null)[]>
}

type Preview = NonNullable<QuoteState['preview']>

const defaultLimits: ContractCallLimits = { gas: 500_000, atOnce: 16 }
const magicWord = `0x1626ba7e${'0'.repeat(56)}`

/** Creates the calls through one node, for the makers of one market. */
export function createContractCalls(
  client: Client,
  { quoteMarket, limits = defaultLimits }: { quoteMarket: Address; limits?: ContractCallLimits },
): ContractCalls {
  const runWithin = createGate(limits.atOnce)

  const call = ({ address, data }: Call, from: Address, block?: BlockRef): Promise<Hex> =>
    client.request({
      method: 'eth_call',
      params: [
        {
          from,
          to: address,
          data,
          gas: numberToHex(limits.gas),
          // What is paid is the base fee and the tip.
          maxFeePerGas: numberToHex(mostFee),
          maxPriorityFeePerGas: numberToHex(1_000_000 + (randomUint32() >>> 12)),
        },
        block ? numberToHex(block.number) : 'latest',
        // Nodes refuse a price that the account cannot pay.
        { [from]: { balance: numberToHex(2n * BigInt(limits.gas) * mostFee + BigInt(randomUint32())) } },
      ],
    })

  const readPreview = async ({ quote, hash }: PreviewQuery, taker: Address, block: BlockRef): Promise<Preview> => {
    try {
      const from = taker === zeroAddress ? randomAccount() : taker
      const verdict = decodePreview(await call(previewCall(quoteMarket, quote, taker), from, block))
      if (verdict.reason !== 'BAD_SIGNATURE') return verdict
      // The market says the same of a contract that refuses, and of one that uses up all gas.
      const question = signatureCall({ account: quote.maker, digest: hash, signature: quote.signature })
      return await call(question, quoteMarket, block).then(
        () => verdict,
        (error) => (refusalOf(error) === 'gas' ? failedPreview('refused') : verdict),
      )
    } catch (error) {
      return failedPreview(refusalOf(error) === null ? 'silent' : 'refused')
    }
  }

  const readSignature = async (signature: ContractSignature): Promise<boolean | null> => {
    try {
      return isMagic(await call(signatureCall(signature), randomAccount()))
    } catch (error) {
      return refusalOf(error) === null ? null : false
    }
  }

  return {
    async readPreviews(queries, { block, timeoutMs, borrower, stopAtFailure = false }) {
      const end = performance.now() + timeoutMs
      const previews = new Map<PreviewQuery, Preview>()
      const readAll = async (some: readonly PreviewQuery[]) => {
        const tasks = some.map((query) => () => readPreview(query, borrower ?? query.quote.taker, block))
        const read = await runWithin(tasks, Math.max(0, end - performance.now()))
        for (const [index, query] of some.entries()) previews.set(query, read[index] ?? failedPreview('silent'))
      }
      const [firsts, others] = splitFirsts(queries)
      await readAll(firsts)
      const failing = new Set(
        firsts.filter((query) => previews.get(query)?.failure === 'refused').map(({ quote }) => quote.maker),
      )
      await readAll(others.filter(({ quote }) => !stopAtFailure || !failing.has(quote.maker)))
      return queries.map((query) => previews.get(query) ?? failedPreview('refused'))
    },

    async readSignatures(signatures, { timeoutMs }) {
      const tasks = signatures.map((signature) => () => readSignature(signature))
      return runWithin(tasks, timeoutMs)
    },
  }
}

const mostFee = 1_000_000_000_000n
const previewTakeQuote = { abi: quoteMarketAbi, functionName: 'previewTakeQuote' } as const

/** The call of the market's own verdict on a quote. */
export function previewCall(quoteMarket: Address, { signature, ...terms }: SignedQuote, taker: Address): Call {
  return {
    address: quoteMarket,
    data: encodeFunctionData({ ...previewTakeQuote, args: [terms, signature, taker] }),
  }
}

/** The answer of {@link previewCall}. */
export function decodePreview(answer: Hex = '0x'): Preview {
  const [executable, reason, borrowerCost] = decodeFunctionResult({ ...previewTakeQuote, data: answer })
  return { executable, reason: executable ? '' : hexToString(reason, { size: 32 }), borrowerCost }
}

function failedPreview(failure: NonNullable<Preview['failure']>): Preview {
  const reason = failure === 'silent' ? 'CHAIN_UNAVAILABLE' : 'SIGNATURE_CHECK_FAILED'
  return { executable: false, reason, borrowerCost: 0n, failure }
}

function signatureCall({ account, digest, signature }: ContractSignature): Call {
  const args = [digest, signature] as const
  return { address: account, data: encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args }) }
}

function isMagic(answer: Hex): boolean {
  return answer.slice(0, magicWord.length).toLowerCase() === magicWord
}

/**
 * What became of a call that failed: the contract has reverted, or used up its gas, as each halt of the machine does; null
 * when the node did not run it to its end, which says nothing of the contract.
 */
function refusalOf(error: unknown): 'revert' | 'gas' | null {
  const found = error instanceof ViemError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(found instanceof RpcRequestError)) {
    // An answer that cannot be decoded is an answer.
    return error instanceof ViemError && error.name.startsWith('Abi') ? 'revert' : null
  }
  if (found.code === 3 || /revert/i.test(found.details)) return 'revert'
  return haltWords.test(found.details) ? 'gas' : null
}

/**
 * In what geth, erigon, reth, nethermind, besu and anvil say of a halt. Their codes are those of any other error, so that a node
 * which is too busy, or lacks the block, is told apart by the words only.
 */
const haltWords = /out ?of ?gas|gas required|opcode|jump|stack|evm error|vm execution|write protection|out of bounds/i

/** The first query of each maker, and all others: a maker with many quotes does not keep another from its first. */
function splitFirsts(queries: readonly PreviewQuery[]): [firsts: PreviewQuery[], others: PreviewQuery[]] {
  const makers = new Set<Address>()
  const [firsts, others]: [PreviewQuery[], PreviewQuery[]] = [[], []]
  for (const query of queries) {
    const { maker } = query.quote
    if (makers.has(maker)) others.push(query)
    else firsts.push(query)
    makers.add(maker)
  }
  return [firsts, others]
}

function randomAccount(): Address {
  return bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(20)))
}

function randomUint32(): number {
  return globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
