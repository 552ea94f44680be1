import { ChainUnavailableError } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
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

/**
 * Takes permissions back that were given and not used: what is left of the allowance, and the right to open positions.
 *
 * @throws what `sendTransaction` throws.
 * @throws {ChainUnavailableError} when the allowance could not be read.
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
          : `Sent ${transactionHash}, which takes back ${what}, which was not used; waiting for its block.\n`,
      )
    await sendTransaction(chain, rpcUrl, account, call, { ...context, onSent: tell })
  }
  if (given.has('allowance') && loanToken !== null) {
    const args = [account.address, quoteMarketAddress] as const
    const read = { address: loanToken, abi: erc20Abi, functionName: 'allowance', args } as const
    const rest = await chain.readContract(read).catch(() => {
      throw new ChainUnavailableError('The allowance that is left could not be read, and was not taken back.')
    })
    const call = approveParameters({ loanToken, amount: 0n, quoteMarketAddress })
    if (rest > 0n) await revoke('allowance', `the allowance of ${showAmount(rest, view.token)}`, call)
  }
  if (given.has('operator')) {
    const call = setOperatorParameters({ quoteMarketAddress, interestRatePoolAddress, approved: false })
    await revoke('operator', 'the right to open positions for you', call)
  }
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
