import type { Code, PublicRfqId, Receipt, RFQStreamEvent, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { QuoteBlock, QuoteLeaf } from '../../domain/auctionRecord.ts'
import type { AcceptedEntry } from '../../domain/backerEntries.ts'
import { acceptedRecord, type Claim, hasReceipt, refusedRecord } from '../../domain/receipts.ts'
import { publicRfqId as publicIdOf } from '../../domain/rfqIds.ts'
import { openingEntry, openingLeaf } from '../../domain/transcript.ts'
import type { ProofDeps, ServiceDeps } from '../serviceDeps.ts'
import { createReceiptBatches } from './receiptBatches.ts'

/** Receipts for verdicts on quotes, and for the log's entries of auctions. */
export type Receipts = {
  /**
   * Requests the receipt of a verdict that has been sent to its backer. Calls `deliver` with it, unless the verdict has
   * none. Never throws.
   *
   * @param requester limits the receipts per batch, by identity.
   */
  ofVerdict(
    submission: { backer: Address; rfqId: PublicRfqId; quote: SignedQuote },
    verdict: ReceiptVerdict,
    requester: object,
    deliver: (hash: Hex, receipt: Receipt) => void,
  ): void
  /** Adds the receipt of the log's entry to a `started` or `done` event. Returns other events unchanged. Never rejects. */
  withReceipt(event: RFQStreamEvent): Promise<RFQStreamEvent>
  /** Signs and delivers the receipts of all verdicts and events so far. */
  flush(): Promise<void>
  /** Like {@link flush}, but without those for which the store has to be read. */
  stop(): void
}

/** A verdict on a quote, as far as its receipt needs it. */
export type ReceiptVerdict =
  | { ok: true; value: AcceptedEntry & { closesAt: number } }
  | { ok: false; rejection: { code: Code; hash?: Hex | null }; block?: QuoteBlock }

type ReportedEntry = { claim: Claim; complete(receipt: Receipt): RFQStreamEvent }

/**
 * Milliseconds between two signatures, for verdicts and for events. A verdict is sent before its receipt, but an event
 * waits for it. Fewer batches also mean fewer writes to each socket.
 */
export const verdictIntervalMs = 250
export const eventIntervalMs = 50

/** Creates the receipts of one instance. */
export function createReceipts(
  { store, keys, log: { origin } }: ProofDeps,
  deps: Pick<ServiceDeps, 'clock' | 'random' | 'signatures' | 'log'>,
): Receipts {
  const { clock, signatures, log } = deps
  const batchesOf = (intervalMs: number) =>
    createReceiptBatches(deps, { log: origin, signDigest: keys.signDigest, intervalMs })
  const verdicts = batchesOf(verdictIntervalMs)
  const events = batchesOf(eventIntervalMs)
  const lookups = new Set<Promise<unknown>>()

  /** Waits for a read of the store; null if it fails. */
  const track = <T>(lookup: Promise<T>): Promise<T | null> => {
    const tracked = lookup
      .catch((err: unknown) => {
        log.warn({ err }, 'failed to read an auction for a receipt')
        return null
      })
      .finally(() => lookups.delete(tracked))
    lookups.add(tracked)
    return tracked
  }

  /** The leaf of a quote that another attempt or instance has stored. */
  const findLeaf = async (publicRfqId: PublicRfqId, backer: Address, hash: Hex) => {
    const stored = await store.findLeaf(publicRfqId, backer)
    return stored?.quote === hash ? stored.leaf : null
  }

  /** The log's entry that an event reports, and the event with its receipt. */
  const entryOf = async (event: RFQStreamEvent): Promise<ReportedEntry | null> => {
    if (event.type !== 'started' && event.type !== 'done') return null
    const { rfqId } = event.data
    const proof = await store.findProof({ rfqId })
    if (!proof) return null
    if (event.type === 'started') {
      const { backers, closesAt } = event.data
      const auction = { rfq: event.data, publicRfqId: publicIdOf(rfqId), backers }
      const { salt, record } = openingLeaf(auction, proof.secret)
      const opening = { salt: base64(salt), record: base64(record) }
      return {
        claim: { record: openingEntry(auction, proof.secret), dueAt: closesAt },
        complete: (receipt) => ({ ...event, data: { ...event.data, receipt, opening } }),
      }
    }
    if (!proof.close) return null
    const { log: id, position } = proof.close
    const [record] = await store.listEntries(id, position, position + 1)
    if (!record) return null
    return {
      claim: { record, dueAt: event.data.closedAt },
      complete: (receipt) => ({ ...event, data: { ...event.data, receipt } }),
    }
  }

  const flush = () => {
    verdicts.flush()
    events.flush()
  }

  return {
    ofVerdict({ backer, rfqId, quote }, verdict, requester, deliver) {
      const add = (hash: Hex, claim: Claim) =>
        verdicts.add(requester, claim, (receipt) => receipt && deliver(hash, receipt))
      if (verdict.ok) {
        const { hash, receivedAt, closesAt, leaf } = verdict.value
        const promise = ({ seq, hash: leaf }: QuoteLeaf) => {
          const record = acceptedRecord({ publicRfqId: rfqId, hash, maker: backer, receivedAt, seq, leaf })
          add(hash, { record, dueAt: closesAt })
        }
        if (leaf) promise(leaf)
        else void track(findLeaf(rfqId, backer, hash).then((found) => found && promise(found)))
        return
      }
      const { rejection, block } = verdict
      if (!hasReceipt(rejection)) return
      const hash = signatures.hashQuote(quote)
      const at = clock.now()
      const { code } = rejection
      add(hash, { record: refusedRecord({ publicRfqId: rfqId, hash, maker: backer, at, code, block }), dueAt: at })
    },

    async withReceipt(event) {
      const entry = await track(entryOf(event))
      if (!entry) return event
      const receipt = await new Promise<Receipt | null>((resolve) => events.add({}, entry.claim, resolve))
      return receipt ? entry.complete(receipt) : event
    },

    async flush() {
      await Promise.all(lookups)
      flush()
    },

    stop: flush,
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
