/** Exit codes of `firmquote`. Exit codes are stable, so scripts may rely on them. */
export const exitCodes = {
  ok: 0,
  /** Any other failure, including a service that reports that it is down. */
  failure: 1,
  /** Invalid arguments or options, or a missing or insecure key. */
  usage: 2,
  /** The service or the daemon refused the request. */
  refused: 3,
  /** No quotes, a failed check, an inactive quote, a position that has not expired, or a reverted transaction. */
  notExecutable: 4,
  /** The service, the chain or the daemon is unreachable or did not respond in time. */
  unreachable: 5,
  /** Ctrl-C. */
  interrupted: 130,
  /** The reader of the output closed it (`| head`). */
  brokenPipe: 141,
  /** SIGTERM. */
  terminated: 143,
} as const
