import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** Why a devnet could not be started. */
export type DevnetErrorCode =
  | 'INVALID_OPTION'
  | 'PORT_IN_USE'
  | 'ANVIL_NOT_INSTALLED'
  | 'ANVIL_FAILED'
  | 'ANVIL_TIMEOUT'
  | 'DEPLOYMENT_FAILED'

/** A devnet could not be started; nothing of it is left running. */
export class DevnetError extends BaseError {
  override name = 'DevnetError'
  declare readonly code: DevnetErrorCode

  constructor(code: DevnetErrorCode, message: string, options: BaseErrorOptions = {}) {
    super(code, message, options)
  }
}
