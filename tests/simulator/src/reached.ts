import { expectedAnswers } from './attacks.ts'
import { killedWrites, killTimes, quoteKinds, type ScenarioName, scenarios, stalledWrites } from './plan.ts'

/**
 * Trace kinds that a run of all scenarios, or of `proofs`, must reach within this many histories. Each kind is expected to
 * occur at least 25 times.
 */
export function expectedAfter(histories: number, names: readonly ScenarioName[]): readonly string[] {
  const all = names.length === Object.keys(scenarios).length ? histories : 0
  const proofs = names.includes('proofs') ? histories / names.length : 0
  return [
    ...(all >= longRun ? expectedKinds : []),
    ...(all >= longRun * 5 ? rareKinds : []),
    ...(proofs >= longRun / 2 ? proofKinds : []),
    ...(proofs >= longRun * 2 ? rareProofKinds : []),
  ]
}

const longRun = 400

/** Trace kinds that are common. */
const expectedKinds: readonly string[] = [
  ...quoteKinds.map((kind) => `plan: ${kind}`),
  ...expectedAnswers.map((answer) => `attack ${answer}`),
  ...['auction', 'quote', 'crash', 'restart', 'hold-up', 'clock', 'storage', 'network', 'partition', 'node'],
  ...['database away', 'database failed over', 'waited for a lock'],
  ...['lease given', 'lease refused', 'presence checked'],
  ...['stall', 'message strange', 'borrower is back', 'node on the branch that is left'],
  ...['reorganisation', 'chain stands still', 'transaction', 'backer leaves', 'publish', 'list'],
  ...['write refused', 'query refused', 'outcome unknown: committed', 'outcome unknown: lost', 'outcome unknown: late'],
  ...['message dropped', 'message doubled', 'message delayed', 'message parted'],
  ...['node refused', 'node silent', 'old state', 'reorganised'],
  ...['borrower repeats', 'borrower repeats with another body', 'borrower looks', 'borrower guesses an id'],
  ...['borrower follows anew', 'clients sent elsewhere'],
  ...[
    'borrower guesses a key',
    'borrower asks for what no series takes',
    'line lost',
    'stream resumes',
    'stream ended',
    'the same again',
  ],
  ...['filled', 'cancelled', 'nonce_raised', 'active', 'final', 'again'].map((kind) => `status ${kind}`),
  ...['statuses resumed', 'outcome unknown of applyBlocks'],
  ...['event started', 'event quote', 'event done', 'rfq heard', 'outcome heard'],
  ...['closed', 'closed late', 'drained', 'listed as executable', 'published', 'not affordable'],
  ...['open answered', 'open refused IDEMPOTENCY_KEY_REUSED', 'open refused STORAGE_UNAVAILABLE'],
  ...['open refused OVERLOADED', 'open refused CHAIN_UNAVAILABLE', 'open refused TOO_MANY_OPEN'],
  ...['quote accepted', 'quote ALREADY_QUOTED', 'quote AUCTION_CLOSED', 'quote OUTCOME_UNKNOWN', 'quote BAD_SIGNATURE'],
  ...[
    'quote STORAGE_UNAVAILABLE',
    'quote OVERLOADED',
    'quote CHAIN_UNAVAILABLE',
    'quote RFQ_NOT_FOUND',
    'quote MAKER_MISMATCH',
  ],
  ...['quote INSUFFICIENT_BALANCE', 'quote NONCE_MISMATCH', 'quote TERMS_MISMATCH', 'quote NOTIONAL_TOO_LARGE'],
]

/** Trace kinds that occur in about one of 100 histories. */
const rareKinds: readonly string[] = [
  ...['outcome unknown: cut off', 'rolled back', 'events omitted', 'logs omitted', 'event error'],
  ...['reorganised beyond the window', 'quote after its end'],
  ...stalledWrites.map((method) => `stalled before ${method}`),
]

/** Trace kinds of provable auctions that occur in about one of five histories of `proofs`. */
const proofKinds: readonly string[] = [
  ...['crash before a checkpoint of an opening', 'outage past mergeBy', 'clock jump during an open auction'],
  ...['receipt of an opening', 'receipt of a close'],
  ...['receipt', 'receipt of a refusal', 'receipt sent again', 'promise checked after its time', 'proof verified'],
  ...['checkpoint signed', 'cosigned', 'cosignature lost', 'witness leaves', 'outage', 'kill'],
]

/** Trace kinds of provable auctions that occur in about one of 25 histories of `proofs`. */
const rareProofKinds: readonly string[] = [
  ...killTimes.flatMap((moment) => killedWrites.map((write) => `killed ${moment} ${write}`)),
  'receipt asked again',
]
