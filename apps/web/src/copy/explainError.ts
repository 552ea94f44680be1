import { BaseError, ClientError, ServiceError, SignerError } from '@firmquote/sdk'
import { UserRejectedRequestError, BaseError as ViemError } from 'viem'
import { explainHalt } from './explainHalt.ts'
import { explainCode } from './explainRejection.ts'
import type { Words } from './words.ts'

/** An error as shown to the user: a sentence, and the code and request ID for support. */
export type Explanation = {
  message: string
  code: string
  requestId?: string
  /** In the words of the program that raised it. */
  cause: string
}

/** Explains an error. A wallet's own window has shown the rest. Pure. */
export function explainError(error: Error, { texts }: Pick<Words, 'texts'>): Explanation {
  const explain = (code: string, cause: string): Explanation => {
    return { message: explainCode(code, texts) ?? texts.codes.UNKNOWN, code, cause }
  }
  if (error instanceof ClientError) {
    const { code, shortMessage, requestId } = error
    const issues = error instanceof ServiceError ? error.issues : []
    const causes = [shortMessage, ...issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))]
    const halted = error instanceof ServiceError && code === 'MARKET_HALTED'
    const said = halted && { message: explainHalt(error.facts['message'], { texts }) }
    return { ...explain(code, causes.join(' ')), ...said, ...(requestId !== undefined && { requestId }) }
  }
  // Why the wallet has not signed is what its own error says.
  if (error instanceof SignerError && error.cause instanceof ViemError) return explainError(error.cause, { texts })
  if (error instanceof BaseError) return explain(error.code, error.shortMessage)
  if (error instanceof ViemError) {
    const isRejected = error.walk((cause) => cause instanceof UserRejectedRequestError)
    return explain(isRejected ? 'WALLET_REJECTED' : 'WALLET_ERROR', error.shortMessage)
  }
  return explain('UNKNOWN', error.message)
}
