import { interestRatePoolAbi } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../../../packages/devnet/test/testContracts.ts'
import { devnet, useDevnet } from '../../../packages/devnet/test/testDevnet.ts'
import { approve, revokeApprovals, withApprovals } from './approve.ts'
import { connectChain } from './connect.ts'

describe('approve', () => {
  useDevnet()

  test('behavior: resets an allowance to zero if the token requires it, and revokes unused permissions', async () => {
    const { publicClient, rpcUrl, chainId, contracts } = devnet
    const [{ privateKey, address }] = devnet.borrowers
    const wallet = devnet.walletClient(devnet.borrowers[0])
    const deployed = await wallet.deployContract({ abi: noReturnTokenAbi, bytecode: noReturnTokenBytecode })
    const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash: deployed })
    const loanToken = contractAddress as Address
    const read = { address: loanToken, abi: noReturnTokenAbi } as const
    const readAllowance = () =>
      publicClient.readContract({ ...read, functionName: 'allowance', args: [address, contracts.quoteMarket] })
    const written: string[] = []
    const context = {
      args: [],
      environment: {},
      signal: new AbortController().signal,
      write: (text: string) => written.push(text),
      finish: <T>(work: Promise<T>) => work,
      failure: {},
    }
    const parts = {
      chain: await connectChain(rpcUrl, chainId),
      rpcUrl,
      account: privateKeyToAccount(privateKey),
      client: new ServiceClient({ orderbookUrl: 'http://127.0.0.1:9' }),
      view: { token: { symbol: 'NORET', decimals: 6 }, json: undefined },
    }
    for (const [cost, allowance] of [
      [1_000_000n, 0n],
      [3_000_000n, 1_000_000n],
    ] as const) {
      const ok = { ok: true }
      const checks = [ok, ok, ok, ok, ok, { name: 'borrower', allowance }]
      const plan = { cost, loanToken, missing: ['allowance'], takes: [{ verdict: { checks } }], block: { number: 1n } }
      const block = await approve(context as never, parts as never, plan as never)
      expect(block).toBe(await publicClient.getBlockNumber())
      expect(await readAllowance()).toBe(cost)
    }
    expect(written.map((text) => text.replace(/0x[0-9a-f]{64}/, '…'))).toEqual([
      'Sent …, which lets the quote market spend your 1 NORET; waiting for it to be mined.\n',
      "Sent …, which resets the quote market's old allowance; waiting for it to be mined.\n",
      'Sent …, which lets the quote market spend your 3 NORET; waiting for it to be mined.\n',
    ])

    // No permissions were used, so revoking them restores the borrower's original state.
    written.length = 0
    const isOperator = () =>
      publicClient.readContract({
        address: contracts.interestRatePool,
        abi: interestRatePoolAbi,
        functionName: 'isOperator',
        args: [address, contracts.quoteMarket],
      })
    expect(await isOperator()).toBe(true)
    await revokeApprovals(context as never, parts as never, new Set(['allowance', 'operator']), loanToken)
    expect([await readAllowance(), await isOperator()]).toEqual([0n, false])
    await revokeApprovals(context as never, parts as never, new Set(['allowance']), loanToken)
    expect(written.map((text) => text.replace(/0x[0-9a-f]{64}/, '…'))).toEqual([
      'Sent …, which revokes the allowance of 3 NORET, because it was not used; waiting for it to be mined.\n',
      'Sent …, which revokes the right to open positions for you, because it was not used; waiting for it to be mined.\n',
    ])
  })
})

describe('withApprovals', () => {
  test('default', () => {
    expect(withApprovals(['rfq', '--pool', '1', '--take'])).toBe('firmquote rfq --pool 1 --take --approve')
  })

  test('behavior: adds --take, and quotes arguments for the shell', () => {
    expect(withApprovals(['rfq', '--pool', "it's; $1", '--max-cost='])).toBe(
      `firmquote rfq --pool 'it'\\''s; $1' --max-cost= --take --approve`,
    )
    expect(withApprovals(['rfq', ''])).toBe("firmquote rfq '' --take --approve")
  })

  test("behavior: omits the node's address, which may contain a key", () => {
    expect(withApprovals(['rfq', '--rpc', 'http://node/key', '--take'])).toBe('firmquote rfq --rpc … --take --approve')
    expect(withApprovals(['rfq', '--rpc=http://node/key', '--take'])).toBe('firmquote rfq --rpc=… --take --approve')
  })
})
