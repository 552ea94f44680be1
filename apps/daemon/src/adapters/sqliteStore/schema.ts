/** The tables. Hashes and addresses are hex, as on the wire. */
export type Tables = {
  /** Single values by their names: the owner of the database, whether the daemon is paused, the policy in force. */
  notes: { name: string; value: string }
  quotes: {
    hash: string
    rfq_id: string | null
    loan_token: string
    /** The nine fields, as JSON of the wire. */
    body: string
    /** `maker`, `unverified` or `verified`. */
    asker: string
    signature: string | null
    verdict: string
    code: string | null
    signed_at: number
    /** 1 when the chain has passed its deadline. */
    ended: number
  }
  /** The last status that was stored of each service. */
  status_seqs: { service: string; seq: number }
  /** What the service has told of fills, and the maker's hook: see `FillRecord`. */
  fills: {
    hash: string
    /** `filled` or `reverted`. */
    status: string
    final: number
    block: number
    transaction_hash: string | null
    change: number
    begun: number
    done: number
    /** The fill of the last call of the hook, as JSON; amounts as decimal strings. */
    told: string | null
    changed_at: number
  }
}
