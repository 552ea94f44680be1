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

/** Takes backers' quotes to their auctions. What an auction has accepted is never refused, whichever instance is asked. */
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
    const verdict = await auction.submit({ backer, quote, hash })
    if (verdict.ok || verdict.rejection.code === 'OUTCOME_UNKNOWN') return verdict
    return (await acceptedElsewhere(auction.publicRfqId, backer, hash)) ?? verdict
  }

  /**
   * Acknowledges what was found in the rows. A row of a shared database can be read before it is on every disk that a commit waits
   * for; a write that comes after it is answered when it is.
   */
  const acknowledge = async ({ accepted, closesAt }: AuctionEntry, hash: Hex): Promise<SubmissionVerdict | null> => {
    if (accepted?.hash !== hash) return null
    if (isShared) await store.probe()
    return { ok: true, value: { ...accepted, closesAt } }
  }

  /**
   * What is refused here may have been accepted before, by another instance that could not say so: what is in the rows is
   * not refused. Null when it is not.
   */
  const acceptedElsewhere = async (
    publicRfqId: PublicRfqId,
    backer: Address,
    hash: Hex,
  ): Promise<SubmissionVerdict | null> => {
    try {
      const entry = await store.findAuctionEntry(publicRfqId, backer)
      return entry && (await acknowledge(entry, hash))
    } catch (err) {
      log.warn({ err, rfqId: publicRfqId }, 'the rows of an auction could not be read')
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
    if (accepted?.hash === hash) return (await acceptedElsewhere(rfqId, backer, hash)) ?? unknown(hash)
    if (closedAt !== null) return { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt } }
    const joined = await running.join(rfqId)
    if (joined) return submitTo(joined, backer, quote, hash)
    // It has closed meanwhile, or this instance stops.
    const closed = running.isStopped() ? null : await store.findAuctionEntry(rfqId, backer)
    return closed?.closedAt
      ? { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: closed.closedAt } }
      : { ok: false, rejection: { code: 'OVERLOADED' } }
  }
}

function unknown(hash: Hex): SubmissionVerdict {
  return { ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } }
}
