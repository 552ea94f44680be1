/** Why a quote that was seen can no longer be executed, for people; the code itself where there are no words for it. */
export function reasonWords(code: string): string {
  return words.get(code) ?? `Refused by the contract: ${code}`
}

const words = new Map([
  ['DEADLINE_PASSED', 'Its deadline has passed'],
  ['QUOTE_FILLED', 'It has been taken'],
  ['QUOTE_CANCELLED', 'Its maker has cancelled it'],
  ['NONCE_MISMATCH', 'Its maker has withdrawn all quotes of that time'],
  ['INSUFFICIENT_BALANCE', 'Its maker no longer has the money'],
  ['INSUFFICIENT_ALLOWANCE', 'Its maker no longer allows its money to be used'],
  ['CAPACITY_EXCEEDED', 'The series has no room left for it'],
  ['SERIES_EXPIRED', 'The series has ended'],
  ['SERIES_NOT_FOUND', 'There is no such series'],
  ['POOL_NOT_FOUND', 'There is no such pool'],
  ['BAD_SIGNATURE', "The signature is not its maker's"],
  ['CHAIN_UNAVAILABLE', 'The service could not read the chain to judge it'],
])
