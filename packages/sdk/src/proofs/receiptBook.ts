// Why: docs/decisions/0085-a-makers-evidence.md
// Longer than 400 lines because one closure holds the state of all quotes in the book.
import {
  deserializeSignedQuote,
  hashQuote,
  type PublicRfqId,
  type QuoteAckMessage,
  type SerializedSignedQuote,
} from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import {
  acceptedLeaf,
  decodeRecord,
  formatProof,
  fromBase64,
  keyEntry,
  ProofError,
  type ProvenEntry,
  parseKey,
  type Receipt,
  recoverReceipt,
  refusedLeaf,
} from '@firmquote/verify'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { type FoundAuction, findAuction, readClose } from './findAuction.ts'
import { judgePromise, type PromiseVerdict } from './judgePromise.ts'
import { judgeReceipt, type Promised } from './judgeReceipt.ts'
import { type ProofHead, proveEntry, proveLastEntries, provesQuote, readHead } from './proofFiles.ts'
import type {
  ListedAuction,
  ReceiptBook,
  ReceiptBookConfig,
  ReceiptCounts,
  ReceiptProblemCode,
  ReceiptProof,
} from './receiptBookTypes.ts'

/** Delay before a missing receipt is requested, in milliseconds, doubled for each further request. */
const askMs = 1_000
const maxAsks = 3
/** Milliseconds after which a quote without an answer counts as unanswered. Longer than a submission with its resends. */
const answerMs = 60_000
/** Delay before a promise is checked again, in milliseconds, doubled up to the maximum. */
const recheckMs = 15_000
const maxRecheckMs = 600_000
/** Seconds after `mergeBy` from which a log without checkpoints is stale. */
const staleSeconds = 60
/** Maximum correction of the local clock in seconds, so that a service cannot delay an alarm for long. */
const maxSkewSeconds = 3_600
/** Promises judged in one check, and at the same time. */
const maxPerCheck = 500
const parallelChecks = 4
/** Attempts to read a kept promise's proof: about an hour. */
const maxProofReads = 10
/** Receipts kept until the acknowledgement arrives. */
const maxEarly = 4

type Booked = {
  readonly hash: Hex
  readonly rfqId: PublicRfqId
  readonly signed: SerializedSignedQuote
  ack: QuoteAckMessage | null
  receipt: Receipt | null
  /** The receipt's promise, or null while there is no receipt for an accepted quote. */
  promise: Promised | null
  /** Receipts that arrived before the acknowledgement. */
  early: Receipt[]
  /** Receipt of a refusal whose proof is to be kept. */
  refusal: Receipt | null
  /** Seconds by which the local clock was ahead of the service's when it accepted the quote, rounded up. */
  skew: number
  /** Submissions in progress, and the monotonic time of the last one. */
  sending: number
  sentAt: number
  asks: number
  cancelAsk(): void
  tries: number
  nextAt: number
  verdict: PromiseVerdict | null
  isSaved: boolean
  readonly reported: Set<ReceiptProblemCode>
}

/**
 * Creates a book of a maker's receipts. The book verifies each receipt when it arrives, and requests missing ones by sending
 * the same quote again. After a receipt's `mergeBy`, it checks that the log has the quote, and passes the proof to
 * `onProof`. Proofs of broken promises also go there. Only the log and the times of witnesses decide that a promise is
 * broken; the local clock only decides when to look.
 *
 * @throws {ProofError} if a key is malformed.
 * @example
 * ```ts
 * client.setPrivateKey(key)
 * const { chainId, quoteMarketAddress: quoteMarket } = client.getConfig()
 * const { proofs } = await client.getServiceConfig()
 * if (!proofs) throw new Error('The service keeps no log.')
 * const book = await createReceiptBook({
 *   ...{ maker, market: { chainId, quoteMarket }, proofs },
 *   log: createLogReader({ url: orderbookUrl + proofs.url, key: proofs.key }),
 *   service: {
 *     ...createProofReads(client),
 *     submit: (rfqId, quote) => socket.submitSerializedQuote(rfqId, quote),
 *   },
 *   events: { onProof: ({ type, hash, text }) => console.log(type, hash, text) },
 * })
 * await book.submit(rfq.rfqId, serializeSignedQuote(signed))
 * await book.stop()
 * ```
 */
export async function createReceiptBook(config: ReceiptBookConfig): Promise<ReceiptBook> {
  const { maker, market, proofs, log, service, events, store, clock = systemClock, maxQuotes = 10_000 } = config
  const key = parseKey(proofs.key)
  const witnesses = (config.witnesses ?? []).map(parseKey)
  const quotes = new Map<Hex, Booked>()
  const totals = { sent: 0, accepted: 0, refused: 0, unanswered: 0, receipts: 0, missing: 0, invalid: 0 }
  const results = { kept: 0, broken: 0 }
  /** The log's key for receipts, once read. */
  let logged: { signer: Address; entry: Uint8Array } | null = null
  let isStale = false
  let isStopped = false
  let saving: Promise<unknown> = Promise.resolve()
  let checking: Promise<void> | null = null
  const taking = new Set<Promise<void>>()

  for (const text of (await store?.list()) ?? []) {
    const { hash, rfqId, signed, ack, receipt, skew } = JSON.parse(text) as Booked
    if (receipt && receipt.log !== proofs.origin) {
      // It stays in the store: this log cannot show whether the promise was kept.
      const message = `The receipt is of the log ${receipt.log}, but the service now has ${proofs.origin}.`
      events.onProblem?.({ code: 'LOG_REPLACED', message, rfqId, hash })
      continue
    }
    quotes.set(hash, { ...booked(hash, rfqId, signed), ack, receipt, skew, promise: promiseOf(receipt), isSaved: true })
  }

  function booked(hash: Hex, rfqId: PublicRfqId, signed: SerializedSignedQuote): Booked {
    const facts = { ack: null, receipt: null, promise: null, early: [], refusal: null, verdict: null, isSaved: false }
    const times = { skew: 0, sending: 0, sentAt: clock.monotonic(), asks: 0, cancelAsk() {}, tries: 0, nextAt: 0 }
    return { hash, rfqId, signed, ...facts, ...times, reported: new Set() }
  }

  function report(code: ReceiptProblemCode, message: string, quote: Booked | null = null): void {
    if (quote?.reported.has(code)) return
    quote?.reported.add(code)
    events.onProblem?.({ code, message, rfqId: quote?.rfqId ?? null, hash: quote?.hash ?? null })
  }

  function save(quote: Booked): void {
    if (!store) return
    const { hash, rfqId, signed, ack, receipt, skew } = quote
    quote.isSaved = true
    const write = () =>
      quotes.has(hash) ? store.save(hash, JSON.stringify({ hash, rfqId, signed, ack, receipt, skew })) : null
    saving = saving.then(write).catch(() => {
      // The next check saves it again.
      quote.isSaved = false
    })
  }

  function forget({ hash, ack, cancelAsk }: Booked): void {
    cancelAsk()
    quotes.delete(hash)
    // A receipt that remains in the store is checked again after the next start.
    if (store && ack?.status === 'accepted') saving = saving.then(() => store.remove(hash)).catch(() => {})
  }

  async function submit(rfqId: PublicRfqId, signed: SerializedSignedQuote): Promise<QuoteAckMessage> {
    const hash = hashQuote(deserializeSignedQuote(signed), market)
    const isNew = !quotes.has(hash)
    const quote = quotes.get(hash) ?? booked(hash, rfqId, signed)
    if (isNew) add(quote)
    quote.sending += 1
    quote.sentAt = clock.monotonic()
    try {
      const ack = await service.submit(rfqId, signed)
      acknowledge(quote, ack)
      return ack
    } catch (error) {
      if (isNew && (error as { sent?: unknown }).sent === 'no') {
        totals.sent -= 1
        forget(quote)
      }
      throw error
    } finally {
      quote.sending -= 1
    }
  }

  function add(quote: Booked): void {
    const [oldest] = quotes.values()
    if (oldest && quotes.size >= maxQuotes) {
      report('DROPPED', `The book has ${maxQuotes} quotes, and drops the oldest.`, oldest)
      forget(oldest)
    }
    totals.sent += 1
    quotes.set(quote.hash, quote)
  }

  function acknowledge(quote: Booked, ack: QuoteAckMessage): void {
    const isUnknown = ack.status === 'rejected' && ack.code === 'OUTCOME_UNKNOWN'
    if (isUnknown || quote.ack?.status === 'accepted') return
    quote.ack = ack
    if (ack.status === 'accepted') {
      totals.accepted += 1
      quote.skew = Math.min(Math.max(0, Math.ceil((clock.now() - ack.receivedAt) / 1_000)), maxSkewSeconds)
      save(quote)
      askLater(quote)
    } else {
      totals.refused += 1
    }
    for (const receipt of quote.early.splice(0)) take(quote, receipt)
  }

  /**
   * Requests a missing receipt by sending the same quote again. Only for accepted quotes: the service may accept a refused
   * one that it receives again.
   */
  function askLater(quote: Booked): void {
    if (quote.promise || quote.asks >= maxAsks || isStopped) return
    quote.cancelAsk = clock.after(askMs * 2 ** quote.asks, () => {
      quote.asks += 1
      void ask(quote).then(() => askLater(quote))
    })
  }

  async function ask({ hash, rfqId, signed, promise }: Booked): Promise<void> {
    if (promise || isStopped || !quotes.has(hash)) return
    // A failure means that there is no connection. The next check asks again.
    await service.submit(rfqId, signed).catch(() => {})
  }

  function take(quote: Booked, receipt: Receipt): void {
    const work = verify(quote, receipt).finally(() => taking.delete(work))
    taking.add(work)
  }

  async function verify(quote: Booked, receipt: Receipt): Promise<void> {
    const { rfqId, hash, ack } = quote
    // A quote that was refused first may have been accepted when it was sent again.
    if (quote.promise || (ack?.status === 'accepted' && kindOf(receipt) === refusedLeaf.kind)) return
    try {
      const { origin, promiseSeconds } = proofs
      const limits = { origin, promiseSeconds, now: clock.now() }
      const verified = await judgeReceipt(receipt, { rfqId, hash, maker, ack }, limits)
      if (!(await isLogged(verified.signer))) throw new ProofError(`The log has no key ${verified.signer}.`)
      totals.receipts += 1
      if (verified.kind === 'refused') {
        if (config.isWrong?.(verified.refusal)) quote.refusal = receipt
        else forget(quote)
        return
      }
      quote.cancelAsk()
      Object.assign(quote, { receipt, promise: verified.promise })
      save(quote)
    } catch (error) {
      invalid(quote, error)
    }
  }

  function invalid(quote: Booked, error: unknown): void {
    totals.invalid += 1
    report('RECEIPT_INVALID', error instanceof ProofError ? error.message : 'The receipt is malformed.', quote)
  }

  /** Whether the log has the signer's key. While the log cannot be read, the answer is yes: each check repeats this. */
  async function isLogged(signer: Address): Promise<boolean> {
    if (logged) return isAddressEqual(signer, logged.signer)
    try {
      const head = await readHead(log, key, witnesses)
      return (await proveKey(signer, head)) !== null
    } catch {
      return true
    }
  }

  /** Proves that the log's first entry is the signer's key. */
  async function proveKey(signer: Address, head: ProofHead): Promise<ProvenEntry | null> {
    if (!logged) {
      const [entry] = await log.entries(0, 1, head.checkpoint)
      if (!entry) return null
      logged = { entry, signer: decodeRecord(keyEntry.kind, keyEntry.layout, entry).signer }
    }
    return isAddressEqual(signer, logged.signer) ? proveEntry(log, head, logged.entry, 0) : null
  }

  /** Counts what will have no receipt, and asks for receipts that are still missing. */
  function tend(quote: Booked): void {
    const { ack, promise, sentAt, sending, early } = quote
    if (ack?.status === 'accepted') {
      if (!quote.isSaved) save(quote)
      if (!promise) tendMissing(quote, ack.closesAt)
    } else if (sending === 0 && !promise && !quote.refusal && clock.monotonic() - sentAt >= answerMs) {
      // The acknowledgement may be lost, but not the receipt.
      const receipts = early.splice(0)
      for (const receipt of receipts) take(quote, receipt)
      if (receipts.length > 0) return
      if (!ack) {
        totals.unanswered += 1
        report('UNANSWERED', 'The service did not answer the quote.', quote)
      }
      forget(quote)
    }
  }

  function tendMissing(quote: Booked, closesAt: number): void {
    if (clock.now() < closesAt + 1_000 * proofs.promiseSeconds) {
      if (quote.asks === 0 || quote.asks >= maxAsks) void ask(quote)
      return
    }
    totals.missing += 1
    report('RECEIPT_MISSING', 'The service accepted the quote, but sent no valid receipt for it.', quote)
    forget(quote)
  }

  function isDue({ receipt, promise, refusal, nextAt }: Booked): boolean {
    if (nextAt > clock.monotonic()) return false
    return refusal !== null || (promise !== null && receipt !== null && clock.now() >= 1_000 * receipt.mergeBy)
  }

  async function runCheck(): Promise<void> {
    for (const quote of [...quotes.values()]) tend(quote)
    await Promise.all(taking)
    const due = [...quotes.values()].filter(isDue).slice(0, maxPerCheck)
    let why = `The newest checkpoint was cosigned too early${witnesses.length === 0 ? ': no witness is trusted' : ''}.`
    if (due.length > 0) {
      try {
        const head = await readHead(log, key, witnesses)
        const rest = [...due]
        const work = async () => {
          for (let quote = rest.shift(); quote && !isStopped; quote = rest.shift()) await checkOne(quote, head)
        }
        await Promise.all(Array.from({ length: parallelChecks }, work))
      } catch (error) {
        why = (error as Error).message
        for (const quote of due) later(quote, 'unseen')
      }
    }
    const wasStale = isStale
    isStale = [...quotes.values()].some(
      ({ verdict, receipt }) =>
        verdict === 'unseen' && receipt !== null && clock.now() >= 1_000 * (receipt.mergeBy + staleSeconds),
    )
    if (isStale && !wasStale) report('LOG_STALE', `The log does not show yet whether promises were kept. ${why}`)
  }

  function later(quote: Booked, verdict: PromiseVerdict | null): void {
    quote.verdict = verdict
    quote.nextAt = clock.monotonic() + Math.min(recheckMs * 2 ** Math.min(quote.tries, 10), maxRecheckMs)
    quote.tries += 1
  }

  async function checkOne(quote: Booked, head: ProofHead): Promise<void> {
    try {
      if (quote.refusal) await keepRefusal(quote, quote.refusal, head)
      else if (quote.receipt && quote.promise) await checkPromise(quote, quote.receipt, quote.promise, head)
    } catch {
      // The service, the log or the folder of proofs is not available.
      later(quote, 'unseen')
    }
  }

  async function keepRefusal(quote: Booked, receipt: Receipt, head: ProofHead): Promise<void> {
    const signed = await proveSigner(quote, receipt, head)
    if (signed) await keep(quote, 'refusal', formatProof({ type: 'refusal', keys: head.keys, ...signed }))
  }

  async function checkPromise(quote: Booked, receipt: Receipt, promise: Promised, head: ProofHead): Promise<void> {
    const { publicRfqId, seq, leaf } = promise
    const { checkpoint, cosignedAt, keys } = head
    // The maker's own daemon may be the witness. If its clock is fast, its cosignatures have times in the future.
    const mergeBy = receipt.mergeBy + quote.skew
    const listed = await service.readAuction(quote.rfqId).catch(() => null)
    let found: FoundAuction | null = await readClose(log, checkpoint, publicRfqId, listed?.close ?? null)
    // The service may hide the close. Without a witness, nothing depends on it before the next check.
    if (!found && ((cosignedAt ?? 0) >= mergeBy || quote.tries === 1)) {
      found = await findAuction(log, checkpoint, publicRfqId)
    }
    const verdict = judgePromise(
      { seq, leaf, mergeBy },
      {
        entries: found?.kind ?? 'unknown',
        close: found?.kind === 'closed' ? found.close : null,
        hashes: hashesOf(listed),
        cosignedAt,
      },
    )
    if (verdict === 'kept') return archive(quote, promise)
    if (verdict === 'withheld')
      report('HASHES_WITHHELD', "The auction is due, but the service does not list its leaves' hashes.", quote)
    if (verdict === 'unseen' || verdict === 'withheld') return later(quote, verdict)
    const signed = await proveSigner(quote, receipt, head)
    if (!signed) return
    if (verdict === 'omitted' && found?.kind === 'closed') {
      const close = await proveEntry(log, head, found.entry, found.index)
      const hashes = listed?.hashes ?? []
      await keep(quote, 'omission', formatProof({ type: 'omission', keys, ...signed, close, hashes }))
    } else if (verdict === 'unclosed' && found?.kind === 'open') {
      const rest = await proveLastEntries(log, head, found)
      await keep(quote, 'unclosed', formatProof({ type: 'unclosed', keys, ...signed, ...rest }))
    } else {
      results.broken += 1
      report('NOT_OPENED', 'The service promised to include the quote, but its log does not have the auction.', quote)
      forget(quote)
    }
  }

  /** Proves that a receipt's signer is a key of the log. If it is none, the receipt proves nothing. */
  async function proveSigner(quote: Booked, receipt: Receipt, head: ProofHead) {
    const { signer } = await recoverReceipt(receipt)
    const proof = await proveKey(signer, head)
    if (proof) return { key: proof, receipt }
    invalid(quote, new ProofError(`The log has no key ${signer}.`))
    forget(quote)
    return null
  }

  async function keep(quote: Booked, type: ReceiptProof['type'], text: string): Promise<void> {
    const { rfqId, hash } = quote
    await events.onProof({ type, rfqId, hash, text })
    if (type === 'quote') results.kept += 1
    else if (type !== 'refusal') results.broken += 1
    forget(quote)
  }

  /** Reads the proof of a kept promise. The auction has the quote even if the service does not give its proof. */
  async function archive(quote: Booked, promise: Promised): Promise<void> {
    const text = await service.readProof(quote.rfqId).catch(() => '')
    if (await provesQuote(text, { promise, signature: quote.signed.signature, log: key })) {
      return keep(quote, 'quote', text)
    }
    later(quote, 'kept')
    if (quote.tries < maxProofReads) return
    results.kept += 1
    report('PROOF_WITHHELD', 'The auction has the quote, but the service does not give its proof.', quote)
    forget(quote)
  }

  return {
    submit,
    receive({ hash, receipt: given }) {
      const quote = quotes.get(hash)
      if (!quote || isStopped) return
      const receipt = canonical(given)
      if (quote.ack) take(quote, receipt)
      else if (quote.early.length < maxEarly) quote.early.push(receipt)
    },
    check() {
      checking ??= runCheck().finally(() => {
        checking = null
      })
      return checking
    },
    counts: (): ReceiptCounts => {
      const open = [...quotes.values()].filter(({ promise }) => promise !== null).length
      return { ...totals, ...results, open, isStale }
    },
    async stop() {
      isStopped = true
      for (const { cancelAsk } of quotes.values()) cancelAsk()
      await Promise.all(taking)
      await checking
      await saving
    },
  }
}

/** A receipt with its keys in the order of proof files. */
function canonical({ log, mergeBy, signature, index, path, salt, leaf }: Receipt): Receipt {
  return { log, mergeBy, signature: signature.toLowerCase() as Hex, index, path: [...path], salt, leaf }
}

function promiseOf(receipt: Receipt | null): Promised | null {
  return receipt && decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, fromBase64(receipt.leaf, 'The leaf'))
}

function kindOf({ leaf }: Receipt): number | undefined {
  try {
    return fromBase64(leaf, 'The leaf')[0]
  } catch {
    return undefined
  }
}

function hashesOf(listed: ListedAuction | null): Uint8Array[] | null {
  try {
    return listed?.hashes.map((hash) => fromBase64(hash, 'A hash')) ?? null
  } catch {
    return null
  }
}
