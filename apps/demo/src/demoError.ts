import { BaseError } from '@firmquote/core'

/** The demo cannot run on this machine as it is; the message is one sentence that says what to do. */
export class DemoError extends BaseError {
  override name = 'DemoError'

  constructor(message: string, options: { cause?: unknown } = {}) {
    super('DEMO', message, options)
  }
}
