import { BaseError, type BaseErrorOptions } from '@firmquote/core'

/** Why a devnet could not be started or used. */
export type DevnetErrorCode =
  | 'INVALID_OPTION'
  | 'PORT_IN_USE'
  | 'ANVIL_NOT_INSTALLED'
  | 'ANVIL_FAILED'
  | 'ANVIL_TIMEOUT'
  | 'DEPLOYMENT_FAILED'
  | 'FUNDING_FAILED'

/** A devnet could not be started (no process is left running), or an account on it could not be funded. */
export class DevnetError extends BaseError {
  override name = 'DevnetError'
  declare readonly code: DevnetErrorCode

  constructor(code: DevnetErrorCode, message: string, options: BaseErrorOptions = {}) {
    super(code, message, options)
  }
}
