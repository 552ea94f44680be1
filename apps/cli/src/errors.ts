import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** The command was not used as it is meant: an argument, an option, a key file. Nothing was sent. Code `USAGE`. */
export class UsageError extends BaseError {
  override name = 'UsageError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('USAGE', message, options)
  }
}

/** Why nothing could be executed. */
export type NotExecutableCode = 'NOBODY_QUOTED' | 'CHECKS_FAILED' | 'TRANSACTION_REVERTED' | 'QUOTE_NOT_ACTIVE'

/** There is no quote to execute, or the one that there is cannot be executed. */
export class NotExecutableError extends BaseError {
  override name = 'NotExecutableError'
  declare readonly code: NotExecutableCode
  /** The command that would mend it, where there is one. */
  readonly remedy: string | undefined

  constructor(code: NotExecutableCode, message: string, options: BaseErrorOptions & { remedy?: string } = {}) {
    super(code, message, options)
    this.remedy = options.remedy
  }
}

/** The service answered, and says that it is down. Code `SERVICE_DOWN`. */
export class ServiceDownError extends BaseError {
  override name = 'ServiceDownError'

  constructor() {
    super('SERVICE_DOWN', 'The service says that it is down.')
  }
}
