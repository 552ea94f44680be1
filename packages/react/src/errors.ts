import { BaseError } from '@firmquote/sdk'

/** Another transaction went in its place: its owner has cancelled or replaced it in the wallet. Code `TRANSACTION_REPLACED`. */
export class TransactionReplacedError extends BaseError {
  override name = 'TransactionReplacedError'

  constructor() {
    super('TRANSACTION_REPLACED', 'It was cancelled or replaced in the wallet: another transaction went in its place.')
  }
}

/** A position is further back in its account's list than is looked for it. Code `POSITION_NOT_REACHED`. */
export class PositionNotReachedError extends BaseError {
  override name = 'PositionNotReachedError'

  constructor(pages: number) {
    super('POSITION_NOT_REACHED', `The position is not on the first ${pages} pages of the account's positions.`)
  }
}

/** There is nothing to send now: no wallet, one before it that is under way, or nothing that can be done. Code `NOT_READY`. */
export class NotReadyError extends BaseError {
  override name = 'NotReadyError'

  constructor() {
    super('NOT_READY', 'There is nothing that could be sent now.')
  }
}
