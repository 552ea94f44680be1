import { BaseError } from '@firmquote/sdk'
import type { BaseError as ViemError } from 'viem'

const documented = { docsPath: '@firmquote/react/README.md#errors' }

/** An error of a read or a request through the wallet: one of Firmquote's, or one of viem's. */
export type ChainErrorType = BaseError | ViemError

/** The user cancelled or replaced the transaction in the wallet. Code `TRANSACTION_REPLACED`. */
export class TransactionReplacedError extends BaseError {
  override name = 'TransactionReplacedError'

  constructor() {
    super('TRANSACTION_REPLACED', 'The transaction was cancelled or replaced in the wallet.', documented)
  }
}

/** The search limit was reached before the position was found. Code `POSITION_NOT_REACHED`. */
export class PositionNotReachedError extends BaseError {
  override name = 'PositionNotReachedError'

  constructor(pages: number) {
    super(
      'POSITION_NOT_REACHED',
      `The position is not on the first ${pages} pages of the account's positions.`,
      documented,
    )
  }
}

/** Nothing can be sent: no wallet is connected, a transaction is pending, or no step is available. Code `NOT_READY`. */
export class NotReadyError extends BaseError {
  override name = 'NotReadyError'

  constructor() {
    super('NOT_READY', 'Nothing can be sent now.', documented)
  }
}

/** Another request of the account is running, in this tab or another. Code `ACCOUNT_BUSY`. */
export class AccountBusyError extends BaseError {
  override name = 'AccountBusyError'

  constructor() {
    super('ACCOUNT_BUSY', 'Another request of this account is running. Finish it first.', documented)
  }
}
