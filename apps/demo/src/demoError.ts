import { BaseError } from '@firmquote/core'

/** Thrown if the demo cannot run on this machine. The message says what to do. */
export class DemoError extends BaseError {
  override name = 'DemoError'

  constructor(message: string, options: { cause?: unknown } = {}) {
    super('DEMO', message, options)
  }
}
