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
import { createLimiter } from './limiter.ts'

/** Limits for calls into makers' contracts. */
export type ContractCallLimits = {
  /** Gas limit per call. */
  gas: number
  /** Maximum number of concurrent calls. Further calls wait. */
  concurrency: number
}

/** A signature that an account's contract must validate (ERC-1271). */
export type ContractSignature = { account: Address; digest: Hex; signature: Hex }

/** A quote to check with its maker's contract. */
export type PreviewQuery = { quote: SignedQuote; hash: Hex }

/**
 * Calls into makers' contracts, which may be malicious. Each call is a separate `eth_call` with a gas limit, so that
 * one maker's contract cannot affect other quotes. The sender and gas price are plausible for a real transaction, so
 * that a contract cannot easily detect the simulation. The node must support state overrides.
 */
export type ContractCalls = {
  /**
   * Returns `previewTakeQuote`'s verdict on each quote at a block, in the order of the queries. Never rejects. The
   * failure is `silent` if there is no result within `timeoutMs` or the node does not execute the call, and `refused`
   * if the maker's contract runs out of gas.
   *
   * @param borrower The account that will take the quotes. Default: each quote's taker.
   * @param stopAtFailure Skip a maker's remaining quotes once its contract has failed. The skipped quotes fail with
   * `refused`. Use this option for quotes whose signatures were valid before.
   */
  readPreviews(
    queries: readonly PreviewQuery[],
    at: { block: BlockRef; timeoutMs: number; borrower?: Address; stopAtFailure?: boolean },
  ): Promise<Preview[]>
  /**
   * Returns whether each account's contract accepts a signature at the latest block, in the order of the signatures.
   * A value is null if there is no result within `timeoutMs`. Never rejects.
   */
  readSignatures(signatures: readonly ContractSignature[], at: { timeoutMs: number }): Promise<(boolean | null)[]>
}

type Preview = NonNullable<QuoteState['preview']>
/** A block named by its hash (EIP-1898). */
type NamedBlock = { blockHash: Hex; requireCanonical: true }

const defaultLimits: ContractCallLimits = { gas: 500_000, concurrency: 16 }
const magicWord = `0x1626ba7e${'0'.repeat(56)}`

/** Creates calls into the contracts of one market's makers. */
export function createContractCalls(
  client: Client,
  { quoteMarket, limits = defaultLimits }: { quoteMarket: Address; limits?: ContractCallLimits },
): ContractCalls {
  const runWithin = createLimiter(limits.concurrency)
  /** Whether the node takes a block's hash (EIP-1898), which rules out another block at the same height. */
  let takesHashes = true

  const callAt = ({ address, data }: Call, from: Address, block: Hex | 'latest' | NamedBlock): Promise<Hex> =>
    client.request({
      method: 'eth_call',
      params: [
        {
          from,
          to: address,
          data,
          gas: numberToHex(limits.gas),
          // The effective gas price is the base fee plus the tip.
          maxFeePerGas: numberToHex(maxFee),
          maxPriorityFeePerGas: numberToHex(1_000_000 + (randomUint32() >>> 12)),
        },
        block,
        // Nodes reject a gas price that the account cannot afford.
        { [from]: { balance: numberToHex(2n * BigInt(limits.gas) * maxFee + BigInt(randomUint32())) } },
      ],
    })

  const call = async (asked: Call, from: Address, block?: BlockRef): Promise<Hex> => {
    if (!block) return callAt(asked, from, 'latest')
    const atNumber = () => callAt(asked, from, numberToHex(block.number))
    if (!takesHashes) return atNumber()
    try {
      return await callAt(asked, from, { blockHash: block.hash, requireCanonical: true })
    } catch (error) {
      if (!isInvalidParams(error)) throw error
      const answer = await atNumber()
      takesHashes = false
      return answer
    }
  }

  const readPreview = async ({ quote, hash }: PreviewQuery, taker: Address, block: BlockRef): Promise<Preview> => {
    try {
      const from = taker === zeroAddress ? randomAccount() : taker
      const verdict = decodePreview(await call(previewCall(quoteMarket, quote, taker), from, block))
      if (verdict.reason !== 'BAD_SIGNATURE') return verdict
      // The market does not distinguish between a contract that rejects a signature and one that runs out of gas.
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

const maxFee = 1_000_000_000_000n
const previewTakeQuote = { abi: quoteMarketAbi, functionName: 'previewTakeQuote' } as const

/** Encodes a `previewTakeQuote` call for a quote. */
export function previewCall(quoteMarket: Address, { signature, ...terms }: SignedQuote, taker: Address): Call {
  return {
    address: quoteMarket,
    data: encodeFunctionData({ ...previewTakeQuote, args: [terms, signature, taker] }),
  }
}

/** Decodes the result of {@link previewCall}. */
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

/** Classifies a failed call by its {@link executionFailure}. Null says nothing about the contract. */
function refusalOf(error: unknown): 'revert' | 'gas' | null {
  const found = error instanceof ViemError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  if (!(found instanceof RpcRequestError)) {
    // A result that cannot be decoded still came from the contract.
    return error instanceof ViemError && error.name.startsWith('Abi') ? 'revert' : null
  }
  return executionFailure({ code: found.code, message: found.details })
}

/**
 * Classifies a node's error as a revert by a contract or as an exceptional halt of the EVM, which uses up the gas. Returns
 * null if the node did not finish the call. A contract chooses the words of a revert's reason, so nothing else may be read
 * from them.
 */
export function executionFailure({ code, message }: { code: number; message: string }): 'revert' | 'gas' | null {
  if (code === 3 || /revert/i.test(message)) return 'revert'
  return haltWords.test(message) ? 'gas' : null
}

/** Whether a node does not understand a call's parameters. */
function isInvalidParams(error: unknown): boolean {
  const found = error instanceof ViemError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return found instanceof RpcRequestError && found.code === -32602 && !/revert/i.test(found.details)
}

/**
 * Words in the halt messages of geth, erigon, reth, nethermind, besu and anvil. Other failures (a busy node, a missing
 * block) have the same error code, so only the message identifies a halt.
 */
const haltWords = /out ?of ?gas|gas required|opcode|jump|stack|evm error|vm execution|write protection|out of bounds/i

/** Separates each maker's first query from the rest, so that a maker with many quotes does not delay other makers. */
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
