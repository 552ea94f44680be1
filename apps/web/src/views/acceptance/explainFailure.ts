import {
  InsufficientFundsError,
  isHex,
  ProviderDisconnectedError,
  ResourceUnavailableRpcError,
  UnauthorizedProviderError,
  BaseError as ViemError,
} from 'viem'
import { acceptanceTextsOf } from '../../copy/acceptanceTexts.ts'
import { type ContractRefusal, readContractError } from '../../copy/contractErrors.ts'
import type { AcceptanceTexts } from '../../copy/enAcceptance.ts'
import { type Explanation, explainError } from '../../copy/explainError.ts'
import { explainCode } from '../../copy/explainRejection.ts'
import type { Words } from '../../copy/words.ts'

/** What wallets fail with, beside a refusal by their owner, and what that means. */
const walletFailures = [
  ['noFee', InsufficientFundsError],
  ['busy', ResourceUnavailableRpcError],
  ['locked', UnauthorizedProviderError],
  ['offline', ProviderDisconnectedError],
] as const satisfies readonly [keyof AcceptanceTexts['wallet'], unknown][]

/** Explains why a transaction was not sent: by the contract, by the wallet, or by what every error has. Pure. */
export function explainFailure(error: Error, words: Words): Explanation {
  if (!(error instanceof ViemError)) return explainError(error, words)
  const refusal = refusalIn(error)
  if (refusal) return { message: explainRefusal(refusal, words), code: codeOf(refusal), cause: error.shortMessage }
  const [name] = walletFailures.find(([, kind]) => error.walk((cause) => cause instanceof kind)) ?? []
  const explained = explainError(error, words)
  return name === undefined ? explained : { ...explained, message: acceptanceTextsOf(words).wallet[name] }
}

/** What a contract has answered instead of a result, within an error of viem's; null where nobody knows what it means. */
export function refusalIn(error: ViemError): ContractRefusal | null {
  const { data } = error.walk() as { data?: unknown }
  const answer = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(answer) ? readContractError(answer) : null
}

/** Why a contract has refused a transaction, in a sentence. Pure. */
export function explainRefusal({ name, reason }: ContractRefusal, words: Words): string {
  const sentence = name === 'QuoteNotExecutable' && reason !== undefined ? explainCode(reason, words.texts) : null
  return sentence ?? acceptanceTextsOf(words).contract[name]
}

/** What somebody who helps can look a refusal up by. */
export function codeOf({ name, reason }: ContractRefusal): string {
  return reason === undefined ? name : `${name}: ${reason}`
}
