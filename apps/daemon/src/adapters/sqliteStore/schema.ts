/** The tables. Hashes and addresses are hex as it travels. */
export type Tables = {
  /** Small things by their names: whose database it is, whether the daemon is paused. */
  notes: { name: string; value: string }
  quotes: {
    hash: string
    rfq_id: string | null
    loan_token: string
    /** The nine fields, as JSON of the wire. */
    body: string
    signature: string | null
    verdict: string
    code: string | null
    signed_at: number
    /** 1 when the chain has passed its deadline. */
    ended: number
  }
}
