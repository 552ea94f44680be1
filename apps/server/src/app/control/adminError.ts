import { BaseError } from '@firmquote/core'

/** An operator's command was refused, and changed no state. The message gives the reason. Code `REFUSED`. */
export class AdminRefusedError extends BaseError {
  override name = 'AdminRefusedError'

  constructor(message: string) {
    super('REFUSED', message)
  }
}
