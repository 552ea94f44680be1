import { encodeJson } from '@firmquote/core/wire'
import { approvalSteps, type ServiceClient, setOperatorParameters, type TakePlan } from '@firmquote/sdk'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { showAmount } from './format/show.ts'
import { type ContractCall, sendTransaction } from './sendTransaction.ts'
import type { PlanView } from './showPlan.ts'

/** What a borrower may lack that a transaction of its own gives. */
export type Permission = 'allowance' | 'operator'

/** Who sends the permissions, and where. */
export type ApproveParts = {
  chain: ConnectedChain
  rpcUrl: string
  account: PrivateKeyAccount
  client: ServiceClient
  view: Pick<PlanView, 'token' | 'json'>
}

/** The permissions without which nothing of a plan can be taken; none when the borrower lacks the money too. */
export function missingPermissions({ missing }: Pick<TakePlan, 'missing'>): Permission[] {
  if (missing.includes('balance')) return []
  return missing.filter((what) => what !== 'balance')
}

/**
 * Sends the missing permissions, one after the other: an allowance for exactly what the plan costs, after one of zero where a
 * smaller one is left, and the right to open positions.
 *
 * @returns the block from which on the chain shows them.
 * @throws what `sendTransaction` throws.
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
          ? 'takes its old allowance from the quote market'
          : `lets the quote market move ${showAmount(amount, token)} of yours`
    context.write(
      json
        ? `${encodeJson({ type: 'approving', data: { permission, amount, transactionHash } })}\n`
        : `Sent ${transactionHash}, which ${effect}; waiting for its block.\n`,
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

/** The same command as it was typed, with what sends the permissions first. The address of a node is never shown. */
export function withApprovals(args: readonly string[]): string {
  const shown = args.map((arg, at) => (args[at - 1] === '--rpc' ? '…' : arg.replace(/^--rpc=.*$/s, '--rpc=…')))
  const added = ['--take', '--approve'].filter((option) => !args.includes(option))
  return ['firmquote', ...shown, ...added].map(quoted).join(' ')
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./…-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`
}
