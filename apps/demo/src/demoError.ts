import { BaseError } from '@firmquote/core'

/** The demo cannot run on this machine. The message explains what to do. */
export class DemoError extends BaseError {
  override name = 'DemoError'

  constructor(message: string, options: { cause?: unknown } = {}) {
    super('DEMO', message, options)
  }
}
