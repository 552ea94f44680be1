import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** Thrown for an invalid argument, option or key file, before anything is sent. Code `USAGE`. */
export class UsageError extends BaseError {
  override name = 'UsageError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('USAGE', message, options)
  }
}

/** Reasons for not executing an action. */
export type NotExecutableCode =
  | 'NOBODY_QUOTED'
  | 'CHECKS_FAILED'
  | 'TRANSACTION_REVERTED'
  | 'QUOTE_NOT_ACTIVE'
  | 'POSITION_NOT_FOUND'
  | 'SERIES_NOT_FOUND'
  | 'NOT_EXPIRED'
  | 'TOO_EARLY'
  | 'NODE_REFUSED'
  | 'PROOF_NOT_FOUND'
  | 'PROOF_NOT_READY'

/** Thrown if there is no quote or it cannot be executed. */
export class NotExecutableError extends BaseError {
  override name = 'NotExecutableError'
  declare readonly code: NotExecutableCode
  /** Command that resolves the error, if any. */
  readonly remedy: string | undefined
  /** What to do next if no command resolves the error. */
  readonly next: string | undefined

  constructor(
    code: NotExecutableCode,
    message: string,
    options: BaseErrorOptions & { remedy?: string; next?: string } = {},
  ) {
    super(code, message, options)
    this.remedy = options.remedy
    this.next = options.next
  }
}

/** Thrown if a proof is refused, or proves nothing. Code `PROOF_REFUSED`. */
export class ProofRefusedError extends BaseError {
  override name = 'ProofRefusedError'

  constructor(message: string) {
    super('PROOF_REFUSED', message)
  }
}

/** Thrown if a monitor raised alarms. Code `ALARMS`. */
export class MonitorAlarmError extends BaseError {
  override name = 'MonitorAlarmError'

  constructor(count: number) {
    super('ALARMS', count === 1 ? 'The monitor raised an alarm.' : `The monitor raised ${count} alarms.`)
  }
}

/** Thrown if the service reports that it is down. Code `SERVICE_DOWN`. */
export class ServiceDownError extends BaseError {
  override name = 'ServiceDownError'

  constructor() {
    super('SERVICE_DOWN', 'The service reports that it is down.')
  }
}
