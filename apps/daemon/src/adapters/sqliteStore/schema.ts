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
}
