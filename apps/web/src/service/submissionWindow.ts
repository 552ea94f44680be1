/**
 * A quote whose deadline is nearer than this many seconds does not count as takeable: a transaction needs about as long to
 * get into a block. The default of the SDK's deadline check.
 */
export const submissionWindowSeconds = 30
