/**
 * Returns whether an error, or one of its causes, is viem's revert error. Such an error means that nothing was sent.
 */
export function isRevert(error: unknown): boolean {
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (cause.name === 'ContractFunctionRevertedError' || cause.name === 'ExecutionRevertedError') return true
    seen.add(cause)
  }
  return false
}
