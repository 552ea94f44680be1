import { ChainUnavailableError } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import {
  approvalSteps,
  approveParameters,
  type ServiceClient,
  setOperatorParameters,
  type TakePlan,
} from '@firmquote/sdk'
import { type Address, erc20Abi, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { showAmount } from './format/show.ts'
import { type ContractCall, sendTransaction } from './sendTransaction.ts'
import type { PlanView } from './showPlan.ts'

/** A permission that the borrower has yet to grant and can grant in a transaction. */
export type Permission = 'allowance' | 'operator'

/** Dependencies of {@link approve}. */
export type ApproveParts = {
  chain: ConnectedChain
  rpcUrl: string
  account: PrivateKeyAccount
  client: ServiceClient
  view: Pick<PlanView, 'token' | 'json'>
}

/** Returns the permissions that the plan still requires, or an empty list if the borrower lacks the funds. */
export function missingPermissions({ missing }: Pick<TakePlan, 'missing'>): Permission[] {
  if (missing.includes('balance')) return []
  return missing.filter((what) => what !== 'balance')
}

/**
 * Grants the missing permissions one after another: an allowance of exactly the plan's cost (first reset to zero if a
 * smaller one exists), and the right to open positions.
 *
 * @returns the block as of which the permissions are granted.
 * @throws the errors of `sendTransaction`.
 */
export async function approve(
  context: Context,
  parts: ApproveParts,
  plan: Pick<TakePlan, 'takes' | 'missing' | 'cost' | 'loanToken' | 'block'>,
): Promise<bigint> {
  const { chain, rpcUrl, account, client } = parts
  const { token, json } = parts.view
  const { loanToken } = plan
  const allowance = plan.takes[0]?.verdict.checks[5].allowance ?? 0n
  const { quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  const tell = (permission: Permission, transactionHash: Hex, amount?: bigint) => {
    const effect =
      amount === undefined
        ? 'lets the quote market open positions for you'
        : amount === 0n
          ? "resets the quote market's old allowance"
          : `lets the quote market spend your ${showAmount(amount, token)}`
    context.write(
      json
        ? `${encodeJson({ type: 'approving', data: { permission, amount, transactionHash } })}\n`
        : `Sent ${transactionHash}, which ${effect}; waiting for it to be mined.\n`,
    )
  }
  let { number: block } = plan.block
  for (const permission of missingPermissions(plan)) {
    const calls: { call: ContractCall; amount?: bigint }[] =
      permission === 'allowance' && loanToken !== null
        ? approvalSteps({ loanToken, allowance, amount: plan.cost, quoteMarketAddress }).map((call) => ({
            call,
            amount: call.args[1],
          }))
        : [{ call: setOperatorParameters({ quoteMarketAddress, interestRatePoolAddress }) }]
    for (const { call, amount } of calls) {
      const onSent = (hash: Hex) => tell(permission, hash, amount)
      const receipt = await sendTransaction(chain, rpcUrl, account, call, { ...context, onSent })
      block = receipt.blockNumber
    }
  }
  return block
}

/**
 * Revokes permissions that were granted but not used: the remaining allowance, and the right to open positions.
 *
 * @throws the errors of `sendTransaction`.
 * @throws {ChainUnavailableError} if the allowance cannot be read.
 */
export async function revokeApprovals(
  context: Context,
  { chain, rpcUrl, account, client, view }: ApproveParts,
  given: ReadonlySet<Permission>,
  loanToken: Address | null,
): Promise<void> {
  const { quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  const revoke = async (permission: Permission, what: string, call: ContractCall) => {
    const tell = (transactionHash: Hex) =>
      context.write(
        view.json
          ? `${encodeJson({ type: 'revoking', data: { permission, transactionHash } })}\n`
          : `Sent ${transactionHash}, which revokes ${what}, because it was not used; waiting for it to be mined.\n`,
      )
    await sendTransaction(chain, rpcUrl, account, call, { ...context, onSent: tell })
  }
  if (given.has('allowance') && loanToken !== null) {
    const args = [account.address, quoteMarketAddress] as const
    const read = { address: loanToken, abi: erc20Abi, functionName: 'allowance', args } as const
    const rest = await chain.readContract(read).catch(() => {
      throw new ChainUnavailableError('Failed to read the remaining allowance; it was not revoked.')
    })
    const call = approveParameters({ loanToken, amount: 0n, quoteMarketAddress })
    if (rest > 0n) await revoke('allowance', `the allowance of ${showAmount(rest, view.token)}`, call)
  }
  if (given.has('operator')) {
    const call = setOperatorParameters({ quoteMarketAddress, interestRatePoolAddress, approved: false })
    await revoke('operator', 'the right to open positions for you', call)
  }
}

/**
 * Returns the user's command plus the options that grant the permissions. Redacts the node's URL, because it may
 * contain a key.
 */
export function withApprovals(args: readonly string[]): string {
  const shown = args.map((arg, at) => (args[at - 1] === '--rpc' ? '…' : arg.replace(/^--rpc=.*$/s, '--rpc=…')))
  const added = ['--take', '--approve'].filter((option) => !args.includes(option))
  return ['firmquote', ...shown, ...added].map(quoted).join(' ')
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./…-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`
}
