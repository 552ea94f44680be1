/** What the socket tells whoever runs the daemon: methods and failures, never parameters or results. */
export type RpcLog = {
  debug(facts: Record<string, unknown>, message: string): void
  info(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}
