import type { PublicRfqId, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AuctionEntry } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { LocalAuction, SubmissionVerdict } from './localAuction.ts'
import type { RunningAuctions } from './runningAuctions.ts'

/** Judges a backer's quote. */
export type SubmitQuote = (submission: {
  backer: Address
  rfqId: PublicRfqId
  quote: SignedQuote
}) => Promise<SubmissionVerdict>

/** Routes backers' quotes to their auctions. No instance refuses a quote that another has accepted. */
export function createQuoteSubmissions(
  { store, signatures, log, isShared = false }: Pick<ServiceDeps, 'store' | 'signatures' | 'log' | 'isShared'>,
  running: RunningAuctions,
): SubmitQuote {
  const submitTo = async (
    auction: LocalAuction,
    backer: Address,
    quote: SignedQuote,
    hash: Hex,
  ): Promise<SubmissionVerdict> => {
    const isRunning = running.get(auction.publicRfqId) === auction
    const verdict = await auction.submit({ backer, quote, hash })
    if (verdict.ok || verdict.rejection.code === 'OUTCOME_UNKNOWN') return verdict
    // With a single instance, a running auction knows every row and answers `OUTCOME_UNKNOWN` until a write's outcome
    // is known. An auction that has just ended refuses the submission without checking whether it accepted the quote.
    if (!isShared && isRunning) return verdict
    return (await findAccepted(auction.publicRfqId, backer, hash)) ?? verdict
  }

  /**
   * Acknowledges a quote found in the rows. In a shared database, a row may become visible before every standby has it,
   * but a later write is confirmed only once every standby has both.
   */
  const acknowledge = async ({ accepted, closesAt }: AuctionEntry, hash: Hex): Promise<SubmissionVerdict | null> => {
    if (accepted?.hash !== hash) return null
    if (isShared) await store.probe()
    return { ok: true, value: { ...accepted, closesAt } }
  }

  /**
   * Looks for the quote in the auction's rows, in case another instance accepted it. Returns null if it is not there.
   */
  const findAccepted = async (
    publicRfqId: PublicRfqId,
    backer: Address,
    hash: Hex,
  ): Promise<SubmissionVerdict | null> => {
    try {
      const entry = await store.findAuctionEntry(publicRfqId, backer)
      return entry && (await acknowledge(entry, hash))
    } catch (err) {
      log.warn({ err, rfqId: publicRfqId }, 'failed to read auction rows')
      return unknown(hash)
    }
  }

  return async ({ backer, rfqId, quote }) => {
    const hash = signatures.hashQuote(quote)
    const known = running.get(rfqId)
    if (known) return submitTo(known, backer, quote, hash)
    const entry = await store.findAuctionEntry(rfqId, backer)
    if (!entry) return { ok: false, rejection: { code: 'RFQ_NOT_FOUND', rfqId } }
    const { accepted, closedAt } = entry
    if (accepted?.hash === hash) return (await findAccepted(rfqId, backer, hash)) ?? unknown(hash)
    if (closedAt !== null) return { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt } }
    const joined = await running.join(rfqId)
    if (joined) return submitTo(joined, backer, quote, hash)
    // The auction has closed since, or this instance is stopping.
    const closed = running.isStopped() ? null : await store.findAuctionEntry(rfqId, backer)
    if (closed?.accepted?.hash === hash) return (await findAccepted(rfqId, backer, hash)) ?? unknown(hash)
    return closed?.closedAt
      ? { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: closed.closedAt } }
      : { ok: false, rejection: { code: 'OVERLOADED' } }
  }
}

function unknown(hash: Hex): SubmissionVerdict {
  return { ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } }
}
