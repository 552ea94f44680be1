/** A structure that proves nothing. `message` is one sentence that says what is wrong, and where. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
}
