import { PRODUCTION_DEPLOYMENT } from '@firmquote/addresses'
import type { Client, LocalAccount, TransactionReceipt } from 'viem'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { SignerError } from '../errors.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import {
  type BundleContracts,
  type BundleSignatures,
  bundleParameters,
  bundleTypedData,
  canBundle,
  readBundleState,
} from './bundle.ts'
import type { PlannedTake, TakePlan } from './planTakes.ts'
import { readAtomicity, sendCalls } from './sendCalls.ts'
import { takeCalls } from './takeCalls.ts'
import { chooseTakeForm } from './takeForm.ts'

/** How all takes of a plan become one transaction: `{ ...client.getConfig(), borrower, publicClient, … }`. */
export type OneTransactionParameters = BundleContracts & {
  /** Who takes: an account that signs by itself, or the address of one in `walletClient`. */
  borrower: LocalAccount | `0x${string}`
  publicClient: Client
  /** Reaches a wallet that may send several calls as one (EIP-5792). */
  walletClient?: Client | undefined
  /** Sends a bundle as the borrower and waits for its receipt, as `send` of `takeBest` does. Needed for an account that signs. */
  send?(call: ReturnType<typeof bundleParameters>): Promise<TransactionReceipt>
  /** Whether allowance and permission are given where they are missing. Default true. */
  permits?: boolean | undefined
}

/** Seconds for which what is signed for a bundle can be used. */
const signedForSeconds = 180

/**
 * What `takeBest` sends all takes of a plan with, as one transaction that succeeds or reverts as a whole, with the permissions that
 * are missing: through a wallet that sends several calls as one (EIP-5792), or, for an account that signs by itself and a token with
 * allowances by signature, through Bundler3.
 *
 * @returns for `sendTogether` of `takeBest`. It answers null for a plan of a single call, and where the account can do neither.
 * @throws {InvalidInputError} when a parameter is malformed.
 * @example
 * ```ts
 * const sendTogether = oneTransaction({ ...client.getConfig(), borrower: account, publicClient, send })
 * await takeBest(result.quotes, {
 *   request,
 *   limit: { maxApr: 8 },
 *   borrower: account.address,
 *   publicClient,
 *   send,
 *   sendTogether,
 * })
 * ```
 */
export function oneTransaction(
  given: OneTransactionParameters,
): (plan: Pick<TakePlan, 'takes' | 'missing' | 'block'>) => Promise<TransactionReceipt | null> {
  const { borrower, publicClient, walletClient, send, permits = true, ...contracts } = { ...given }
  // With `permit: false` ignored, permissions would be given.
  rejectMisnamedOptions(contracts, { ...misnamedAddresses, permit: 'permits' })
  const from = checkedAddress(typeof borrower === 'object' ? borrower.address : borrower, 'borrower')
  const signer = typeof borrower === 'object' ? borrower : null
  const chainId = contracts.chainId ?? PRODUCTION_DEPLOYMENT.chainId

  const bundleOf = async (takes: readonly PlannedTake[], now: bigint) => {
    const loanToken = takes[0]?.verdict.checks[2].loanToken ?? null
    if (signer === null || send === undefined || loanToken === null) return null
    const state = await readBundleState(publicClient, { ...contracts, chainId, borrower: from, loanToken })
    if (state === null || !canBundle(takes, state)) return null
    let deadline = now + BigInt(signedForSeconds)
    for (const { signed } of takes) if (signed.deadline < deadline) deadline = signed.deadline
    const typedData = bundleTypedData(takes, state, deadline)
    if (!permits && (typedData.permit || typedData.permission)) return null
    return {
      send: async () => {
        const signatures = await signAll(signer, typedData)
        return send(bundleParameters(takes, state, deadline, signatures))
      },
    }
  }

  return async ({ takes, missing, block }) => {
    const [first] = takes
    if (!first || missing.includes('balance')) return null
    const calls = takeCalls(takes, first.verdict, contracts)
    if (calls.length <= 1) return null
    const permitsThem = permits || calls.every(({ purpose }) => purpose === 'take')
    const atomicity = walletClient && permitsThem ? await readAtomicity(walletClient, { from, chainId }) : 'unsupported'
    const clock = BigInt(Math.floor(Date.now() / 1000))
    const now = clock > block.timestamp ? clock : block.timestamp
    const bundle = atomicity === 'unsupported' ? await bundleOf(takes, now) : null
    const form = chooseTakeForm(calls, { atomicity, bundle: bundle !== null })
    if (form === 'sendCalls' && walletClient) return sendCalls(walletClient, calls, { from, chainId, publicClient })
    return form === 'bundle' && bundle ? bundle.send() : null
  }
}

/** @throws {SignerError} `SIGNING_FAILED`. */
async function signAll(
  signer: LocalAccount,
  { permit, permission }: ReturnType<typeof bundleTypedData>,
): Promise<BundleSignatures> {
  try {
    return {
      permit: permit && (await signer.signTypedData(permit)),
      permission: permission && (await signer.signTypedData(permission)),
    }
  } catch (cause) {
    throw new SignerError('SIGNING_FAILED', 'The account did not sign the permissions of its bundle.', { cause })
  }
}
