import { quoteKinds } from './plan.ts'

/** A run of so many histories of all scenarios must have reached everything that it is for. */
export const longRun = 400

/** What a long run must have reached, by its name in the trace. */
export const expectedKinds: readonly string[] = [
  ...quoteKinds.map((kind) => `plan: ${kind}`),
  ...['auction', 'quote', 'crash', 'restart', 'hold-up', 'clock', 'storage', 'network', 'partition', 'node'],
  ...['database away', 'database failed over', 'outcome unknown: cut off', 'waited for a lock', 'rolled back'],
  ...['lease given', 'lease refused', 'presence checked'],
  ...['reorganisation', 'chain stands still', 'transaction', 'backer leaves', 'publish', 'list'],
  ...['write refused', 'query refused', 'outcome unknown: committed', 'outcome unknown: lost', 'outcome unknown: late'],
  ...['message dropped', 'message doubled', 'message delayed', 'message parted'],
  ...['node refused', 'node silent', 'old state', 'events omitted', 'logs omitted', 'reorganised'],
  ...['borrower repeats', 'borrower repeats with another body', 'borrower looks', 'borrower guesses an id'],
  ...['borrower follows anew', 'clients sent elsewhere'],
  ...['borrower guesses a key', 'line lost', 'stream resumes', 'stream ended', 'the same again'],
  ...['event started', 'event quote', 'event done', 'event error', 'rfq heard', 'outcome heard'],
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
