import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/**
 * Thrown if a configuration mistake prevents a program from starting. The message says what to change. Code
 * `BAD_CONFIGURATION`.
 */
export class ConfigurationError extends BaseError {
  override name = 'ConfigurationError'

  constructor(message: string, options: BaseErrorOptions = {}) {
    super('BAD_CONFIGURATION', message, options)
  }
}
