/** Why no signer can be recovered from a signature. */
export type SignatureFault = 'not_65_bytes' | 'v_not_27_or_28' | 'high_s' | 'unrecoverable'

/** The likely reason that a quote's signature is not its maker's. */
export type SignatureCause = SignatureFault | 'wrong_chain' | 'wrong_contract' | 'stale_nonce' | 'other_signer'
