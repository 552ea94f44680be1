import type { Account, Client } from 'viem'
import { InvalidInputError } from '../coreErrors.ts'

/** @throws {InvalidInputError} if the client has no account. */
export function accountOf({ account }: Client): Account {
  if (account) return account
  throw new InvalidInputError('must have an account: pass it to createWalletClient.', { path: 'walletClient' })
}
