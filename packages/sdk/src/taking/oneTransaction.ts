import type { Client, LocalAccount, TransactionReceipt } from 'viem'
import { checkedAddress, defaultChainId, misnamedAddresses } from '../clientConfig.ts'
import { SignerError } from '../errors.ts'
import { checkClient } from '../readChain.ts'
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

/** Parameters for sending a plan as one transaction: `{ ...client.getConfig(), borrower, publicClient, … }`. */
export type OneTransactionParameters = BundleContracts & {
  /** The taker: a local account, or the address of an account in `walletClient`. */
  borrower: LocalAccount | `0x${string}`
  publicClient: Client
  /** The client of a wallet that may support batched calls (EIP-5792). */
  walletClient?: Client | undefined
  /**
   * Sends a bundle as the borrower and waits for the receipt, like `takeBest`'s `send`. Required for a local account.
   */
  send?(call: ReturnType<typeof bundleParameters>): Promise<TransactionReceipt>
  /** Whether to grant missing allowances and permissions. Default true. */
  permits?: boolean | undefined
}

/** Seconds for which a bundle's signatures are valid. */
const signedForSeconds = 180

/**
 * Creates a `sendTogether` for `takeBest`. It sends all of a plan's takes and any missing permissions as one atomic
 * transaction, using a wallet that batches calls (EIP-5792), or Bundler3 if the account is local and the token supports
 * permits (EIP-2612).
 *
 * @returns A function that resolves to null if the plan is a single call, or if the account supports neither method.
 * @throws {InvalidInputError} if a parameter is malformed.
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
  // Ignoring the misspelled option `permit: false` would grant permissions.
  rejectMisnamedOptions(contracts, { ...misnamedAddresses, permit: 'permits' })
  checkClient(publicClient, 'publicClient')
  if (walletClient !== undefined) checkClient(walletClient, 'walletClient')
  const from = checkedAddress(typeof borrower === 'object' ? borrower.address : borrower, 'borrower')
  const signer = typeof borrower === 'object' ? borrower : null
  const chainId = contracts.chainId ?? defaultChainId

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
    throw new SignerError('SIGNING_FAILED', 'The account did not sign the permissions for its bundle.', { cause })
  }
}
