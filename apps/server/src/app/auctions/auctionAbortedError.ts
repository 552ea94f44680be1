import { BaseError } from '@firmquote/core'

/** The service had to stop before the close of an auction. Code `OVERLOADED`. */
export class AuctionAbortedError extends BaseError {
  override name = 'AuctionAbortedError'

  constructor() {
    super('OVERLOADED', 'The service is restarting; ask again in a moment.')
  }
}
