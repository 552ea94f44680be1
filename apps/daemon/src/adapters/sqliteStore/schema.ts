/** Database tables. Hashes and addresses are in hex, as on the wire. */
export type Tables = {
  /** Single values by name: the database's owner, whether the daemon is paused, and the active policy. */
  notes: { name: string; value: string }
  quotes: {
    hash: string
    rfq_id: string | null
    loan_token: string
    /** The quote's nine fields, as JSON in the wire format. */
    body: string
    /** `maker`, `unverified` or `verified`. */
    asker: string
    signature: string | null
    verdict: string
    code: string | null
    signed_at: number
    /** 1 if the quote's deadline has passed on-chain. */
    ended: number
  }
  /** Sequence number of the last stored status update from each service. */
  status_seqs: { service: string; seq: number }
  /** Fills reported by the service, and their delivery to the hook. See `FillRecord`. */
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
    /** The fill passed in the last hook call, as JSON with amounts as decimal strings. */
    told: string | null
    changed_at: number
  }
  /** Open receipts by quote. The SDK's receipt book defines the text. */
  receipts: { hash: string; body: string }
}
