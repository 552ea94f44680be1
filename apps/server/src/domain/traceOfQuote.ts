// Why: docs/decisions/0061-traces-on-demand.md
const traceIdEnd = '00-'.length + 32

/**
 * Returns the parent span for judging a quote in its auction's trace. This is the quote's own span if it belongs to the
 * same trace and is recorded, otherwise the auction's. A backer cannot start a trace or join a different one.
 *
 * @param auction the `traceparent` sent with the auction; absent if the auction is not traced.
 * @param given the quote's `traceparent`, already validated.
 */
export function traceOfQuote(auction: string | undefined, given: string | undefined): string | undefined {
  if (auction === undefined || given === undefined) return auction
  const isSame = given.slice(0, traceIdEnd) === auction.slice(0, traceIdEnd)
  const isWritten = (Number.parseInt(given.slice(-2), 16) & 1) === 1
  return isSame && isWritten ? given : auction
}
