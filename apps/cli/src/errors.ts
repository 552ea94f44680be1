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

/** Thrown if the service reports that it is down. Code `SERVICE_DOWN`. */
export class ServiceDownError extends BaseError {
  override name = 'ServiceDownError'

  constructor() {
    super('SERVICE_DOWN', 'The service reports that it is down.')
  }
}
