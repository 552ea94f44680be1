/** What the use cases tell whoever runs the service. Never a signature, a key or the borrower's id of an auction. */
export type Log = {
  debug(facts: Record<string, unknown>, message: string): void
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}
