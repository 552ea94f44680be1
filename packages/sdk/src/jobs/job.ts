// Why: docs/decisions/0075-one-job-machine.md
import type { Address, Hex } from 'viem'

/** An amount to fix and its cost, in raw units of the loan token. */
type Priced = { hash: Hex; notional: bigint; cost: bigint }

/**
 * A quote that a request takes. `byKey` is whether the maker's own key signed it, `since` the plan's block, and
 * `isRefused` whether the account refused it.
 */
export type AskedQuote = Priced & { byKey: boolean; since: bigint; isRefused?: boolean }

/** A quote that the account has taken. `positionId` is null if the pool opened no position. */
export type Fill = Priced & { positionId: bigint | null; block: bigint; transactionHash: Hex }

/** The purpose of a wallet request. `permissions` are several permissions that a program grants itself. */
export type RequestKind =
  | 'reset'
  | 'approve'
  | 'permit'
  | 'permissions'
  | 'take'
  | 'batch'
  | 'bundle'
  | 'settle'
  | 'withdraw'
  | 'repay'
  | 'call'

/** One request to the wallet: a transaction, or a batch of calls. */
export type Request = {
  kind: RequestKind
  /** The quotes that it takes, if any. */
  quotes: readonly AskedQuote[]
  /** Whether it repays debt. Unlike the other calls, a repayment must not be repeated. */
  repays?: boolean
  /** The job's `payouts` once it has succeeded, if it changes them. */
  payouts?: Job['payouts']
}

/** A request that the wallet was asked for. */
export type Attempt = Request & {
  /** Counts the job's attempts from 1. */
  number: number
  /** The wallet's answer: none yet, a batch's id (EIP-5792), or a transaction's hash. */
  stage: { name: 'asked' } | { name: 'called'; id: string } | { name: 'sent'; hash: Hex }
}

/** Why a job asks for nothing more, although it is not done. */
export type StopReason =
  /** Every quote is refused, and there is no position to settle. */
  | 'nothing'
  | 'balance'
  /** Permissions are missing that the job must not grant. */
  | 'permissions'
  /** A transaction without takes has reverted. */
  | 'reverted'
  /** The plan exceeds the request or the limit. */
  | 'excess'
  /** The maximum number of plans. */
  | 'plans'
  /** Reading the chain failed. */
  | 'unread'

/** How the last attempt ended. After the first four, its quotes stay open. */
export type Ended = {
  how: 'refused' | 'silent' | 'failed' | 'restored' | 'unsupported' | 'wouldRevert' | 'reverted' | 'replaced' | 'mined'
  attempt: Attempt
  /** The block of its transaction, if it was mined. */
  block: bigint | null
}

/** A job's phase. */
export type Phase =
  /** The chain is being read, for the outcome of open quotes or for a plan. */
  | { name: 'planning'; reads: 'outcome' | 'plan' }
  /** A press makes the job run. */
  | { name: 'ready' }
  /** The wallet is asking the account. */
  | { name: 'asking'; others: readonly Request[] }
  /** The wallet has answered, and the transaction is not mined yet. */
  | { name: 'pending' }
  /** Quotes may or may not be taken. Only these quotes may be asked for again. */
  | { name: 'unknown' }
  | { name: 'stopped'; reason: StopReason }
  /** A job that takes quotes is over. Any other job runs again after a press. */
  | { name: 'done' }

/**
 * An agreement of an account, and its progress. With one press of a button, the account agrees to the chain, the
 * notional, the limit and the number of takes.
 */
export type Job = {
  version: 1
  id: string
  account: Address
  chainId: number
  /** The notional to fix, in raw units. Zero if the job takes nothing. */
  notional: bigint
  /** Maximum cost of the notional, in raw units. Null until the first plan. */
  limit: bigint | null
  maxTakes: number
  phase: Phase
  /** Whether the job may ask the wallet without another press. */
  isRunning: boolean
  /** Whether the wallet has the job's account and chain. */
  isConnected: boolean
  taken: readonly Fill[]
  /** Quotes asked for whose outcome is unknown. */
  open: readonly AskedQuote[]
  /** Quotes that failed and are not tried again. */
  gaveUp: readonly Hex[]
  /** Quotes that failed together. The next plan shows which of them to give up. */
  suspects: readonly AskedQuote[]
  /** Whether to take only quotes that the maker's own key signed. */
  keysOnly: boolean
  /** Whether to send the calls one by one, because a batch has failed. */
  isApart: boolean
  /** Whether debt may be repaid. */
  repays: boolean
  /** Positions that the job has settled or withdrawn, and with whose payouts it may still repay debt. */
  payouts: readonly { positionId: bigint }[]
  attempt: Attempt | null
  attempts: number
  last: Ended | null
  /** The earliest block to read. */
  since: bigint
  /** Counts the job's plans. Only the last one applies. */
  readings: number
  /** Counts the plans since the last press. */
  plans: number
}

/** The next step, planned from a reading of the chain. */
export type JobPlan = {
  block: bigint
  /** The next request, in the forms that the wallet may support, best first. Empty if nothing can be asked. */
  forms: readonly Request[]
  /** Why `forms` is empty. Null if nothing is left to do. */
  stop: StopReason | null
  /** The maximum cost of the whole notional, in raw units, if the job takes quotes. */
  limit?: bigint
  /** Quotes that cannot be taken. */
  refused?: readonly Hex[]
}

/** An event. `number` is that of the attempt, and `reading` that of the effect. */
export type JobEvent =
  /** The job was loaded from storage. */
  | { type: 'restored' }
  /**
   * The account agrees to the job, with new terms if given. Quotes that it chooses are tried again even if they have
   * failed. The others that it refused no longer count as open.
   */
  | { type: 'pressed'; terms?: JobTerms; chosen?: readonly Hex[] }
  | { type: 'planned'; reading: number; plan: JobPlan }
  | { type: 'planFailed'; reading: number }
  /** Which open quotes were filled for the account, and which can never be filled. */
  | { type: 'outcomeRead'; fills: readonly Fill[]; gone: readonly Hex[]; block: bigint }
  | { type: 'outcomeFailed' }
  /** The account refused the request. */
  | { type: 'refused'; number: number }
  /** The account supports this form of the request no more, so nothing was sent. */
  | { type: 'unsupported'; number: number }
  /** The request would revert, so nothing was sent. */
  | { type: 'wouldRevert'; number: number }
  /** The wallet or the node failed, and the request's outcome is unknown. */
  | { type: 'failed'; number: number }
  | { type: 'called'; number: number; id: string }
  | { type: 'sent'; number: number; hash: Hex }
  /** Another transaction with the same nonce took the place of the request's. */
  | { type: 'replaced'; number: number; hash: Hex }
  /**
   * The request's transaction was mined. `isOther` if the account replaced it with a different one, so that the request
   * can never be mined. A program that grants permissions itself knows no hash.
   */
  | {
      type: 'mined'
      number: number
      hash: Hex | null
      succeeded: boolean
      isOther?: boolean
      fills: readonly Fill[]
      block: bigint
    }
  /** The account stops waiting for the wallet. */
  | { type: 'gaveUp' }
  /** Forgets how the last attempt ended. Ignored while a request runs or its outcome is unknown. */
  | { type: 'reset' }
  | { type: 'block' }
  /** The wallet's account or chain changed. */
  | { type: 'connection'; account: Address | null; chainId: number | null }

/** An effect for the driver, in order. `persist` must complete before the next effect starts. */
export type JobEffect =
  | { type: 'persist' }
  /** `only` restricts the plan to these quotes. */
  | { type: 'readPlan'; reading: number; only: readonly Hex[] | null }
  | { type: 'readOutcome'; quotes: readonly AskedQuote[] }
  | { type: 'ask'; attempt: Attempt }
  | { type: 'watch'; attempt: Attempt }

/** The terms that a press accepts. */
export type JobTerms = Pick<Job, 'notional' | 'limit' | 'maxTakes'> & Partial<Pick<Job, 'repays'>>

export type JobStep = { job: Job; effects: readonly JobEffect[] }

/** Maximum number of plans of one run. Each take and each failure needs another one. */
const maxPlans = 32

/** Creates a job that waits for a press. */
export function createJob(
  given: Pick<Job, 'id' | 'account' | 'chainId' | 'notional' | 'limit' | 'maxTakes'> & { since?: bigint },
): Job {
  return {
    version: 1,
    ...{ since: 0n, ...given },
    ...{ phase: { name: 'ready' }, isRunning: false, isConnected: true },
    ...{ taken: [], open: [], gaveUp: [], suspects: [] },
    ...{ keysOnly: false, isApart: false, repays: true, payouts: [] },
    ...{ attempt: null, attempts: 0, last: null, readings: 0, plans: 0 },
  }
}

/** The notional that the job has fixed, in raw units. */
export function fixedBy({ taken }: Pick<Job, 'taken'>): bigint {
  return sum(taken)
}

/** Applies an event to a job. Events that do not apply in the job's phase change nothing. Pure. */
export function stepJob(job: Job, event: JobEvent): JobStep {
  switch (event.type) {
    case 'restored':
      // The wallet may have another account since.
      return restore({ ...job, isRunning: false, isConnected: false })
    case 'pressed':
      return press(job, event)
    case 'planned':
      return expectsPlan(job, event) ? takePlan(job, event.plan) : keep(job)
    case 'planFailed':
      return expectsPlan(job, event) ? stop(job, 'unread') : keep(job)
    case 'outcomeRead':
      return takeOutcome(job, event)
    case 'outcomeFailed':
      return job.phase.name === 'planning' && job.phase.reads === 'outcome'
        ? persist({ ...job, phase: { name: 'unknown' }, isRunning: false })
        : keep(job)
    case 'refused':
      return isAsking(job, event) ? leaveOpen(job, 'refused') : keep(job)
    case 'failed':
      return isCurrent(job, event) ? leaveOpen(job, 'failed') : keep(job)
    case 'gaveUp':
      return job.phase.name === 'asking' ? leaveOpen(job, 'silent') : keep(job)
    case 'reset':
      if (isUndecided(job)) return keep(job)
      return keep({ ...job, last: null, phase: job.phase.name === 'stopped' ? { name: 'ready' } : job.phase })
    case 'unsupported':
      return isAsking(job, event) ? askNextForm(job) : keep(job)
    case 'wouldRevert':
      return job.attempt && isAsking(job, event) ? fail(end(job, 'wouldRevert'), job.attempt) : keep(job)
    case 'called':
      return answer(job, event.number, { name: 'called', id: event.id })
    case 'sent':
      return answer(job, event.number, { name: 'sent', hash: event.hash })
    case 'replaced': {
      const stage = { name: 'sent', hash: event.hash } as const
      return job.attempt && isCurrent(job, event) ? persist({ ...job, attempt: { ...job.attempt, stage } }) : keep(job)
    }
    case 'mined':
      return takeReceipt(job, event)
    case 'block':
      return reread(job)
    case 'connection': {
      const isConnected = event.account?.toLowerCase() === job.account.toLowerCase() && event.chainId === job.chainId
      return keep({ ...job, isConnected, isRunning: job.isRunning && isConnected })
    }
  }
}

/** Plans the next request, unless the job needs a press for it. While quotes are open, their outcome comes first. */
function plan(job: Job): JobStep {
  const { open, isRunning } = job
  const phase = { name: 'planning', reads: 'outcome' } as const
  if (open.length > 0) return { job: { ...job, phase }, effects: [{ type: 'readOutcome', quotes: open }] }
  return isRunning ? readPlan(job) : keep({ ...job, phase: { name: 'ready' } })
}

/** Reads a plan. While quotes are open, it may take only them. */
function readPlan(job: Job): JobStep {
  const reading = job.readings + 1
  const only = job.open.length > 0 ? hashesOf(job.open) : null
  const phase = { name: 'planning', reads: 'plan' } as const
  const planning: Job = { ...job, phase, readings: reading, plans: job.plans + 1 }
  return { job: planning, effects: [{ type: 'readPlan', reading, only }] }
}

function press(job: Job, { terms, chosen }: { terms?: JobTerms; chosen?: readonly Hex[] }): JobStep {
  if (!job.isConnected) return keep(job)
  const open = job.open.filter(({ hash, isRefused }) => !isRefused || !chosen || chosen.includes(hash))
  const gaveUp = job.gaveUp.filter((hash) => !chosen?.includes(hash))
  const running: Job = { ...job, ...terms, open, gaveUp, isApart: false, isRunning: true, plans: 0 }
  switch (job.phase.name) {
    case 'planning':
      return keep({ ...job, isRunning: true })
    case 'ready':
    case 'stopped':
      return plan(running)
    case 'done':
      return isMet(running) ? keep(job) : plan(running)
    case 'unknown':
      return open.length > 0 ? readPlan(running) : plan(running)
    default:
      return keep(job)
  }
}

function expectsPlan({ phase, readings }: Job, { reading }: { reading: number }): boolean {
  return phase.name === 'planning' && reading === readings
}

function takePlan(job: Job, { block, forms, stop: reason, limit = 0n, refused = [] }: JobPlan): JobStep {
  const known: Job = {
    ...job,
    ...{ since: later(job.since, block), suspects: [] },
    // The first plan with a quote fixes the amount, so that a rate's limit does not grow with the time taken.
    limit: job.limit ?? (forms.length > 0 ? limit : null),
  }
  const { suspects, open } = job
  if (suspects.length > 0) {
    const dead = suspects.filter(({ hash }) => refused.includes(hash))
    const blamed = dead.length > 0 ? dead : suspects.filter(({ byKey }) => !byKey)
    return plan(blamed.length > 0 ? giveUp(known, blamed) : { ...known, isApart: true })
  }
  const [form, ...others] = forms
  if (!form && open.length > 0) return persist({ ...known, phase: { name: 'unknown' }, isRunning: false })
  if (!form) return reason === null ? finish(known) : stop(known, reason)
  if (forms.some((one) => exceeds(known, one))) return stop(known, 'excess')
  if (known.plans >= maxPlans) return stop(known, 'plans')
  return known.isRunning ? ask(known, form, others) : keep({ ...known, phase: { name: 'ready' } })
}

/** Whether a request takes more than is left, or a quote above its share of the limit. */
function exceeds({ taken, notional, limit, maxTakes, open }: Job, { quotes }: Request): boolean {
  const others = open.filter(({ hash }) => !quotes.some((quote) => quote.hash === hash))
  return (
    quotes.length > 0 &&
    (sum(taken) + sum(others) + sum(quotes) > notional ||
      taken.length + others.length + quotes.length > maxTakes ||
      quotes.some((quote) => limit === null || quote.cost * notional > limit * quote.notional))
  )
}

function ask(job: Job, form: Request, others: readonly Request[]): JobStep {
  const number = job.attempts + 1
  const attempt: Attempt = { ...form, number, stage: { name: 'asked' } }
  return {
    job: { ...job, attempt, attempts: number, phase: { name: 'asking', others } },
    // After a crash between the two, the restored job treats the request as asked for.
    effects: [{ type: 'persist' }, { type: 'ask', attempt }],
  }
}

function askNextForm(job: Job): JobStep {
  const [form, ...others] = job.phase.name === 'asking' ? job.phase.others : []
  const ended = end(job, 'unsupported')
  if (!form) return stop(ended, 'permissions')
  return job.isRunning ? ask(ended, form, others) : keep({ ...ended, phase: { name: 'ready' } })
}

/** The wallet's answer. A late one counts if nothing else has been asked since, or the same again. */
function answer(job: Job, number: number, stage: Attempt['stage']): JobStep {
  const { attempt, last } = job
  const isLate = last?.attempt.number === number && (!attempt || isSame(attempt, last.attempt))
  const answered = attempt?.number === number || isLate ? (attempt ?? last?.attempt) : null
  if (!answered) {
    return { job, effects: [{ type: 'watch', attempt: { kind: 'call', quotes: job.open, number, stage } }] }
  }
  if (attempt?.stage.name === 'sent' && (stage.name === 'called' || isLate)) return keep(job)
  const next: Attempt = { ...answered, stage }
  return {
    job: { ...job, attempt: next, phase: { name: 'pending' } },
    effects: [{ type: 'persist' }, { type: 'watch', attempt: next }],
  }
}

function isSame(one: Request, other: Request): boolean {
  return one.kind === other.kind && String(hashesOf(one.quotes)) === String(hashesOf(other.quotes))
}

function takeReceipt(job: Job, event: Extract<JobEvent, { type: 'mined' }>): JobStep {
  const { number, hash, succeeded, isOther, fills, block } = event
  const { attempt } = job
  const known = fill({ ...job, since: later(job.since, block) }, fills)
  if (attempt?.number !== number) {
    // A late transaction. If the job waits for another one, that one decides.
    return attempt || job.phase.name === 'done' ? persist(known) : goOn(known)
  }
  const isTaken = ({ hash }: AskedQuote) => known.taken.some((taken) => taken.hash === hash)
  const failed = attempt.quotes.filter((quote) => !isTaken(quote))
  const hasFailed = attempt.quotes.length > 0 ? failed.length > 0 : !succeeded
  const mined: Job = hash === null ? known : { ...known, attempt: { ...attempt, stage: { name: 'sent', hash } } }
  if (isOther) return withPersist(plan({ ...end(mined, 'replaced', block), isRunning: false }))
  return hasFailed
    ? fail(end(mined, 'reverted', block), { ...attempt, quotes: failed })
    : goOn(end(mined, 'mined', block))
}

function takeOutcome(job: Job, { fills, gone, block }: Extract<JobEvent, { type: 'outcomeRead' }>): JobStep {
  const filled = fill({ ...job, since: later(job.since, block) }, fills)
  const known: Job = { ...filled, open: filled.open.filter(({ hash }) => !gone.includes(hash)) }
  const { phase } = job
  if (phase.name !== 'planning' && phase.name !== 'unknown') return persist(known)
  if (known.open.length === 0) return job.open.length === 0 ? keep(known) : goOn(known)
  if (phase.name === 'planning' && phase.reads === 'plan') {
    // A press has started the plan for the open quotes.
    return known.open.length === job.open.length ? persist(known) : withPersist(readPlan(known))
  }
  return persist({ ...known, phase: { name: 'unknown' }, isRunning: false })
}

/** Records fills, whichever request led to them. */
function fill(job: Job, fills: readonly Fill[]): Job {
  const fresh = fills.filter(({ hash }) => !job.taken.some((taken) => taken.hash === hash))
  const isFilled = ({ hash }: Priced) => fills.some((one) => one.hash === hash)
  return { ...job, taken: [...job.taken, ...fresh], open: job.open.filter((quote) => !isFilled(quote)) }
}

function end(job: Job, how: Ended['how'], block: bigint | null = null): Job {
  const { attempt } = job
  const payouts = (how === 'mined' && attempt?.payouts) || job.payouts
  return { ...job, payouts, attempt: null, last: attempt && { how, attempt, block } }
}

/** Continues after a success. */
function goOn(job: Job): JobStep {
  if (job.open.length === 0 && isMet(job)) return finish(job)
  return withPersist(plan(job))
}

/** Whether nothing is left to take. A job that takes nothing ends when its plan is empty. */
function isMet({ notional, taken, maxTakes }: Job): boolean {
  return notional > 0n && (sum(taken) >= notional || taken.length >= maxTakes)
}

/** Continues after a request failed. */
function fail(job: Job, { kind, quotes, repays }: Attempt): JobStep {
  // Settlements and withdrawals must not depend on a repayment.
  if (repays) return withPersist(plan(kind === 'batch' ? { ...job, isApart: true } : { ...job, repays: false }))
  if (quotes.length === 0) return stop(job, 'reverted')
  return withPersist(plan(kind === 'take' ? giveUp(job, quotes) : { ...job, suspects: quotes }))
}

function giveUp(job: Job, quotes: readonly AskedQuote[]): Job {
  // A hostile contract could pass the checks, make the transaction fail, and repeat this from many addresses.
  const keysOnly = job.keysOnly || quotes.some(({ byKey }) => !byKey)
  return { ...job, gaveUp: [...job.gaveUp, ...hashesOf(quotes)], keysOnly }
}

/** Ends an attempt whose outcome is unknown. Repeating a permission is harmless, so only quotes stay open. */
function leaveOpen(job: Job, how: Ended['how']): JobStep {
  const { attempt, open } = job
  const asked = attempt?.quotes ?? []
  const others = open.filter(({ hash }) => !asked.some((one) => one.hash === hash))
  // An earlier request for the same quote may still be sent.
  const isUndecided = ({ hash }: AskedQuote) => open.some((one) => one.hash === hash && !one.isRefused)
  const left = asked.map((quote) => ({ ...quote, isRefused: how === 'refused' && !isUndecided(quote) }))
  const rest: Job = {
    ...end(job, how),
    ...{ isRunning: false, open: [...others, ...left] },
    repays: job.repays && attempt?.repays !== true,
  }
  if (rest.open.length === 0) return withPersist(plan(rest))
  return withPersist({
    job: { ...rest, phase: { name: 'unknown' } },
    effects: [{ type: 'readOutcome', quotes: rest.open }],
  })
}

/** Whether a request runs or its outcome is unknown. Open quotes decide the outcome of a request for quotes. */
function isUndecided({ isRunning, attempt, open, last }: Job): boolean {
  const isUnknown = last?.attempt.quotes.length === 0 && ['failed', 'silent', 'restored'].includes(last.how)
  return isRunning || attempt !== null || isUnknown || open.some(({ isRefused }) => !isRefused)
}

function restore(job: Job): JobStep {
  const { attempt } = job
  if (attempt?.stage.name === 'asked') return leaveOpen(job, 'restored')
  if (attempt) return { job: { ...job, phase: { name: 'pending' } }, effects: [{ type: 'watch', attempt }] }
  return job.phase.name === 'planning' || job.phase.name === 'unknown' ? plan(job) : keep(job)
}

/** A new block may decide what is open. */
function reread(job: Job): JobStep {
  return job.phase.name === 'unknown' ? { job, effects: [{ type: 'readOutcome', quotes: job.open }] } : keep(job)
}

function finish(job: Job): JobStep {
  return persist({ ...job, phase: { name: 'done' }, isRunning: false })
}

function stop(job: Job, reason: StopReason): JobStep {
  return persist({ ...job, phase: { name: 'stopped', reason }, isRunning: false })
}

const keep = (job: Job): JobStep => ({ job, effects: [] })
const persist = (job: Job): JobStep => ({ job, effects: [{ type: 'persist' }] })
const withPersist = ({ job, effects }: JobStep): JobStep => ({ job, effects: [{ type: 'persist' }, ...effects] })
const isCurrent = ({ attempt }: Job, { number }: { number: number }) => attempt?.number === number
const isAsking = (job: Job, event: { number: number }) => job.phase.name === 'asking' && isCurrent(job, event)
const hashesOf = (quotes: readonly Priced[]) => quotes.map(({ hash }) => hash)
const sum = (quotes: readonly Priced[]) => quotes.reduce((total, { notional }) => total + notional, 0n)
const later = (a: bigint, b: bigint) => (a > b ? a : b)
