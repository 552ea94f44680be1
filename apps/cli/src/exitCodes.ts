/** What a run of `firmquote` ends with. They are stable: scripts may rely on them. */
export const exitCodes = {
  ok: 0,
  /** Anything that has no number of its own, also a service that says that it is down. */
  failure: 1,
  /** Wrong arguments or options, a key that is missing or not private. */
  usage: 2,
  /** The service, or the daemon, has answered with a refusal. */
  refused: 3,
  /** Nobody quoted, a check failed, the quote is not active any more, a position has not expired, the transaction reverted. */
  notExecutable: 4,
  /** The service, the chain or the daemon cannot be reached, or did not answer in time. */
  unreachable: 5,
  /** Ctrl-C. */
  interrupted: 130,
  /** The reader of the output has closed it (`| head`). */
  brokenPipe: 141,
  /** SIGTERM. */
  terminated: 143,
} as const
