import { isHex, BaseError as ViemError } from 'viem'
import { acceptanceTextsOf } from '../../copy/acceptanceTexts.ts'
import { type ContractRefusal, readContractError } from '../../copy/contractErrors.ts'
import { type Explanation, explainError } from '../../copy/explainError.ts'
import { explainCode } from '../../copy/explainRejection.ts'
import { explainWallet } from '../../copy/explainWallet.ts'
import type { Words } from '../../copy/words.ts'

/** Explains why a transaction was not sent: a contract error, a wallet error or any other error. Pure. */
export function explainFailure(error: Error, words: Words): Explanation {
  if (!(error instanceof ViemError)) return explainError(error, words)
  const refusal = refusalIn(error)
  if (refusal) return { message: explainRefusal(refusal, words), code: codeOf(refusal), cause: error.shortMessage }
  return explainWallet(error, words)
}

/** Extracts the contract's error from a viem error. Returns null if the error is unknown. */
export function refusalIn(error: ViemError): ContractRefusal | null {
  const { data } = error.walk() as { data?: unknown }
  const answer = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(answer) ? readContractError(answer) : null
}

/** Explains in one sentence why a contract rejected a transaction. Pure. */
export function explainRefusal({ name, reason }: ContractRefusal, words: Words): string {
  const sentence = name === 'QuoteNotExecutable' && reason !== undefined ? explainCode(reason, words.texts) : null
  return sentence ?? acceptanceTextsOf(words).contract[name]
}

/** Returns an error code for support. */
export function codeOf({ name, reason }: ContractRefusal): string {
  return reason === undefined ? name : `${name}: ${reason}`
}
