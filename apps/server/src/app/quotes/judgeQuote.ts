import type { PublicRfqId, QuoteDomain, QuoteState, Rejection, SignedQuote } from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import { explainBadSignature } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import { type Address, getAddress, type Hex } from 'viem'
import type { QuoteBlock } from '../../domain/auctionRecord.ts'
import type { CandidateQuote } from '../../domain/backerEntries.ts'
import type { Chain } from '../../ports/chain.ts'
import { OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { AdmittedCheck, Quotas } from '../../ports/quotas.ts'
import type { Signatures } from '../../ports/signatures.ts'
import { chainNow } from '../chain/chainNow.ts'
import { chainRejection } from '../failure.ts'
import type { SyncSettings } from '../serviceDeps.ts'
import type { JudgingDeps } from './makerChecks.ts'
import type { SuspendedMakers } from './suspendedMakers.ts'
import type { UnprovenMakers } from './unprovenMakers.ts'

/**
 * The rejection reason, or null if the quote passed, the state that was judged, and whether the maker is an unproven
 * contract. A rejection without a state has no verdict from the chain.
 */
export type QuoteVerdict =
  | { rejection: null; state: QuoteState; unproven?: true }
  | { rejection: Rejection; state?: QuoteState; unproven?: never }

/** A quote to judge. */
export type JudgedQuote = {
  quote: SignedQuote
  hash: Hex
  /** The network or maker charged for a failed contract signature check. */
  sender: string
}

/** The dependencies of {@link judgeQuote}. */
export type JudgeDeps = {
  chain: Pick<Chain, 'readQuoteStates'>
  clock: Pick<Clock, 'now'>
  signatures: Signatures
  domain: QuoteDomain
  interestRatePool: Address
  sync: Pick<SyncSettings, 'headStaleSeconds'>
  suspendedMakers: Pick<SuspendedMakers, 'secondsLeft'>
  unprovenMakers: UnprovenMakers
  quotas: Pick<Quotas, 'admitCheck'>
}

/**
 * Judges a quote by its signature and on-chain state, read at a single block. The caller must first pass the terms to
 * `judgeTerms`, which does not need the chain. An unreadable or stale chain yields `CHAIN_UNAVAILABLE`.
 */
export async function judgeQuote(deps: JudgeDeps, judged: JudgedQuote): Promise<QuoteVerdict> {
  const { domain, interestRatePool, signatures } = deps
  const { quote } = judged
  try {
    const { signer, state } = await readState(deps, judged)
    const verdict = verdictOn(deps, quote, state)
    if (verdict.rejection?.code !== 'BAD_SIGNATURE') return verdict
    // The maker may be a contract that accepts the signature (ERC-1271).
    const check = await startCheck(deps, judged)
    if (!check.ok) return { rejection: check.rejection }
    const asked = await askContract(deps, judged, signer, check)
    if (asked.rejection === null) {
      const [unproven] = await deps.unprovenMakers([{ quote, signer }])
      return unproven ? { ...asked, unproven } : asked
    }
    const { rejection } = asked
    if (rejection.code !== 'BAD_SIGNATURE') return asked
    const cause = await explainBadSignature(quote, domain, [interestRatePool], signatures.recoverSigner)
    const recovered = rejection.recovered && getAddress(rejection.recovered)
    return { ...asked, rejection: { ...rejection, recovered, cause } }
  } catch (error) {
    const rejection = chainRejection(error)
    if (rejection) return { rejection }
    if (error instanceof OverloadedError) return { rejection: { code: 'OVERLOADED' } }
    if (error instanceof StorageUnavailableError) return { rejection: { code: 'STORAGE_UNAVAILABLE' } }
    throw error
  }
}

function verdictOn({ clock, sync }: JudgeDeps, quote: SignedQuote, state: QuoteState | undefined): QuoteVerdict {
  const now = chainNow(clock)
  // A node with a stale head does not know about later events.
  if (state === undefined || now - state.block.timestamp > BigInt(sync.headStaleSeconds)) {
    return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
  }
  const rejection = judgeState(quote, state, now)
  return rejection ? { rejection, state } : { rejection: null, state }
}

/** Recovers the signer while reading the chain. */
async function readState(
  { chain, signatures }: JudgeDeps,
  { quote, hash }: JudgedQuote,
): Promise<{ signer: Address | null; state: QuoteState | undefined }> {
  const [{ signer = null }, { states }] = await Promise.all([
    signatures.recoverSigner(hash, quote.signature),
    chain.readQuoteStates([{ quote, hash, signer: null, preview: false }]),
  ])
  const [state] = states
  return { signer, state: state && { ...state, recovered: signer } }
}

/**
 * Judges a quote by calling the maker's contract. If the contract refuses the signature, the failed check is charged to
 * the sender. If the node does not respond, the failed check is not charged to anyone.
 */
async function askContract(
  deps: JudgeDeps,
  judged: JudgedQuote,
  signer: Address | null,
  check: AdmittedCheck,
): Promise<QuoteVerdict> {
  let isRefused = false
  try {
    const verdict = verdictOn(deps, judged.quote, await readContractState(deps, judged, signer))
    isRefused = refusesSignature(verdict.rejection)
    return verdict
  } finally {
    if (!isRefused) check.giveBack()
  }
}

/** Reads the state again, including the contract's verdict on the signature. */
async function readContractState(
  { chain }: JudgeDeps,
  { quote, hash }: JudgedQuote,
  signer: Address | null,
): Promise<QuoteState | undefined> {
  const { states } = await chain.readQuoteStates([{ quote, hash, signer, preview: true }])
  return states[0]
}

/**
 * Checks whether the maker's contract may be called: the maker must not be suspended, and the sender must not have too
 * many failed checks.
 */
async function startCheck(
  { suspendedMakers, quotas }: JudgeDeps,
  { quote: { maker }, sender }: JudgedQuote,
): Promise<({ ok: true } & AdmittedCheck) | { ok: false; rejection: Rejection }> {
  const pause = suspendedMakers.secondsLeft(maker)
  if (pause !== null) {
    return { ok: false, rejection: { code: 'MAKER_SUSPENDED', maker: getAddress(maker), retryAfterSeconds: pause } }
  }
  const check = await quotas.admitCheck(sender)
  if (check.ok) return check
  return { ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: check.retryAfterSeconds } }
}

/** Whether a rejection means that the maker's contract refused the signature. */
function refusesSignature(rejection: Rejection | null): boolean {
  return (
    rejection?.code === 'BAD_SIGNATURE' ||
    (rejection?.code === 'NOT_EXECUTABLE' && rejection.reason === 'SIGNATURE_CHECK_FAILED')
  )
}

/** Judges a backer's quote against the chain at `block`; `rejection` is null if it passes. */
export type SubmissionJudge = (
  candidate: CandidateQuote,
  publicRfqId: PublicRfqId,
) => Promise<{ rejection: Rejection | null; unproven?: true; block?: QuoteBlock }>

/** Creates the judge. The judge never throws: a failure is logged and becomes a rejection. */
export function createSubmissionJudge(deps: JudgingDeps): SubmissionJudge {
  const { limits, log, bans } = deps
  let running = 0

  return async ({ quote, hash }, rfqId) => {
    const banned = bans.rejection(quote.maker)
    if (banned) return { rejection: banned }
    if (running >= limits.runningJudgements) return { rejection: { code: 'OVERLOADED' } }
    running += 1
    try {
      const { rejection, unproven, state } = await judgeQuote(deps, { quote, hash, sender: `maker ${quote.maker}` })
      const block = state && { number: state.block.number, hash: state.block.hash }
      const facts = { ...(unproven && { unproven }), ...(block && { block }) }
      // The operator may have banned the maker during the reads.
      const bannedSince = bans.rejection(quote.maker)
      return bannedSince ? { rejection: bannedSince } : { rejection, ...facts }
    } catch (error) {
      log.error({ err: error, rfqId }, 'failed to judge a quote')
      return { rejection: { code: 'CHAIN_UNAVAILABLE' } }
    } finally {
      running -= 1
    }
  }
}
