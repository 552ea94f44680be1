import { BaseError } from '@firmquote/core'

/** The demo cannot run on this machine. The message says in one sentence what to do. */
export class DemoError extends BaseError {
  override name = 'DemoError'

  constructor(message: string, options: { cause?: unknown } = {}) {
    super('DEMO', message, options)
  }
}
