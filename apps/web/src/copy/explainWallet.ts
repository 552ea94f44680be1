import {
  ChainDisconnectedError,
  HttpRequestError,
  InsufficientFundsError,
  LimitExceededRpcError,
  ProviderDisconnectedError,
  ResourceUnavailableRpcError,
  TimeoutError,
  UnauthorizedProviderError,
  UserRejectedRequestError,
  BaseError as ViemError,
} from 'viem'
import type { Texts } from './en.ts'
import { type Explanation, explainError } from './explainError.ts'
import type { Words } from './words.ts'

/** Explanation keys for wallet errors other than user rejections. */
const walletFailures = [
  ['noFee', InsufficientFundsError],
  ['busy', ResourceUnavailableRpcError],
  ['locked', UnauthorizedProviderError],
  ['offline', ProviderDisconnectedError],
  ['offline', ChainDisconnectedError],
  ['limited', LimitExceededRpcError],
  ['unreachable', HttpRequestError],
  ['unreachable', TimeoutError],
] as const satisfies readonly [keyof Texts['walletErrors'], unknown][]

/** Explains why a wallet has not done what the app asked for. Pure. */
export function explainWallet(error: Error, words: Pick<Words, 'texts'>): Explanation {
  const explained = explainError(error, words)
  const name = nameOf(error)
  return name === undefined ? explained : { ...explained, message: words.texts.walletErrors[name] }
}

/** Explains why the chain could not be read through the wallet. Pure. */
export function explainRead(error: Error, words: Pick<Words, 'texts'>): Explanation {
  // The SDK wraps the wallet's error.
  const own = error instanceof ViemError ? error : error.cause
  if (!(own instanceof ViemError) || own.walk((cause) => cause instanceof UserRejectedRequestError)) {
    return explainError(error, words)
  }
  const message = words.texts.walletErrors[nameOf(own) ?? 'failed']
  return { message, code: explainError(error, words).code, cause: own.details || own.shortMessage }
}

function nameOf(error: Error): keyof Texts['walletErrors'] | undefined {
  if (!(error instanceof ViemError)) return undefined
  return walletFailures.find(([, kind]) => error.walk((cause) => cause instanceof kind))?.[0]
}
