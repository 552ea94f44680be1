import {
  type BaseErrorOptions,
  ChainUnavailableError as ChainUnavailable,
  InvalidInputError as InvalidInput,
  type InvalidInputOptions,
} from '@firmquote/core'

/** Adds the documentation's path in this package. */
export function documented<Options extends BaseErrorOptions>(anchor: string, options: Options): Options {
  return { docsPath: `@firmquote/sdk/ERRORS.md#${anchor}`, ...options }
}

// Core's errors under this package's name, so that a message tells which package threw it.

export class InvalidInputError extends InvalidInput {
  constructor(message: string, options: InvalidInputOptions = {}) {
    super(message, documented('invalidinputerror', options))
  }
}

export class ChainUnavailableError extends ChainUnavailable {
  constructor(message: string, options: BaseErrorOptions = {}) {
    super(message, documented('chainunavailableerror', options))
  }
}
