import { BaseError, ClientError, ServiceError } from '@firmquote/sdk'
import { UserRejectedRequestError, BaseError as ViemError } from 'viem'

/** An error for people: a sentence, and what an operator can look it up by. */
export type Explanation = { message: string; code?: string; requestId?: string }

/** Explains an error in the words of the program that raised it. A wallet's are kept short: its own window has shown the rest. */
export function explainError(error: Error): Explanation {
  if (error instanceof ServiceError && error.issues.length > 0) {
    const issues = error.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    return { ...explainClient(error), message: `${error.shortMessage} ${issues.join(' ')}` }
  }
  if (error instanceof ClientError) return explainClient(error)
  if (error instanceof BaseError) return { message: error.shortMessage, code: error.code }
  if (error instanceof ViemError) {
    if (error.walk((cause) => cause instanceof UserRejectedRequestError)) {
      return { message: 'You have declined in your wallet. Nothing was sent.', code: 'WALLET_REJECTED' }
    }
    return { message: error.shortMessage, code: 'WALLET_ERROR' }
  }
  return { message: error.message }
}

function explainClient({ shortMessage, code, requestId }: ClientError): Explanation {
  return { message: shortMessage, code, ...(requestId !== undefined && { requestId }) }
}
