import { ChainUnavailableError, hashQuote, type Rejection, recoverMaker, type SignedQuote } from '@firmquote/core'
import { judgeState, readQuoteStates } from '@firmquote/core/chain'
import { decodeRecord, fromBase64, type RefusalProof, refusedLeaf, type Statement } from '@firmquote/verify'
import type { Address, PublicClient } from 'viem'

/** Codes that follow from a quote and the chain's state at a block. */
const stateCodes: readonly string[] = [
  'DEADLINE_PASSED',
  'NONCE_MISMATCH',
  'QUOTE_FILLED',
  'QUOTE_CANCELLED',
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'CAPACITY_EXCEEDED',
  'BAD_SIGNATURE',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'NOT_EXECUTABLE',
] satisfies Rejection['code'][]

/** A sentence about a file, which may also come from a node. */
export type Finding = Pick<Statement, 'isProved' | 'text'>

/** What is needed to judge a refusal again. `quote` is the refused quote, and `client` a node with the block's state. */
export type Rejudging = {
  quote: SignedQuote | undefined
  client: PublicClient
  chainId: number
  quoteMarket: Address
  interestRatePool: Address
}

/** Judges a verified refusal again, at its block, by the published rules. The statement says what was found. */
export async function rejudgeRefusal({ receipt }: RefusalProof, rejudging: Rejudging): Promise<Finding> {
  const leaf = fromBase64(receipt.leaf, 'The leaf')
  const refused = decodeRecord(refusedLeaf.kind, refusedLeaf.layout, leaf)
  const { quote, client, chainId, quoteMarket, interestRatePool } = rejudging
  const doubt = (text: string): Finding => ({ isProved: false, text: `The refusal was not judged again: ${text}` })
  if (!stateCodes.includes(refused.code)) return doubt(`${refused.code} does not follow from the state of the chain.`)
  if (refused.blockNumber === 0n) return doubt('it names no block.')
  if (!quote) return doubt('the file has only the hash of the quote. Name the signed quote with --quote.')
  const domain = { chainId, quoteMarket }
  if (hashQuote(quote, domain) !== refused.hash)
    return doubt('the quote of --quote has another hash, at least for this chain and quote market.')
  const place = `block ${refused.blockNumber}`
  try {
    const block = await client.getBlock({ blockNumber: refused.blockNumber })
    if (block.hash !== refused.blockHash) return doubt(`${place} of the node has another hash than the refusal's.`)
    const at = { number: block.number, hash: block.hash, timestamp: block.timestamp }
    const { signer = null } = await recoverMaker(quote, domain)
    const judge = async (preview: boolean) => {
      const quotes = [{ quote, hash: refused.hash, signer, preview }]
      const { states } = await readQuoteStates(client, { quoteMarket, interestRatePool, quotes, block: at })
      const [state] = states
      if (!state) throw new TypeError('The state of the quote is missing.')
      // The service's clock counts, as the receipt states it. A block's own time counts if it is later.
      return judgeState(quote, { ...state, recovered: signer }, refused.at / 1_000n)
    }
    const first = await judge(false)
    // The maker may be a contract that accepts the signature (ERC-1271).
    const verdict = first?.code === 'BAD_SIGNATURE' ? await judge(true) : first
    if (verdict?.code === 'CHAIN_UNAVAILABLE') return doubt("the node did not run the maker's contract.")
    const rules = `At ${place}, the published rules`
    if (verdict === null)
      return { isProved: true, text: `${rules} accept the quote, so the service was wrong to refuse it.` }
    if (verdict.code === refused.code)
      return { isProved: true, text: `${rules} refuse the quote with the same code, so the service was right.` }
    return { isProved: true, text: `${rules} refuse the quote with ${verdict.code}, not with ${refused.code}.` }
  } catch (error) {
    if (!(error instanceof ChainUnavailableError || isViemError(error))) throw error
    return doubt(`the node cannot read ${place}. Use an archive node.`)
  }
}

/** viem's errors show the node's URL, so they are not passed on. */
function isViemError(error: unknown): boolean {
  return error instanceof Error && 'shortMessage' in error
}
