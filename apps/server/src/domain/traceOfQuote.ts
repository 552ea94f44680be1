// Why: docs/decisions/0061-traces-on-demand.md
const traceIdEnd = '00-'.length + 32

/**
 * Where the judgement of a quote stands in the trace of its auction: below what the quote says, if that is in the same trace and
 * written there, else below the auction itself. A backer can neither begin a trace nor enter another one.
 *
 * @param auction the `traceparent` that the auction was told with; absent when it is not traced.
 * @param given that of the quote, a valid one.
 */
export function traceOfQuote(auction: string | undefined, given: string | undefined): string | undefined {
  if (auction === undefined || given === undefined) return auction
  const isSame = given.slice(0, traceIdEnd) === auction.slice(0, traceIdEnd)
  const isWritten = (Number.parseInt(given.slice(-2), 16) & 1) === 1
  return isSame && isWritten ? given : auction
}
