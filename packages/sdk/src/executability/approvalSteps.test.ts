import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, zeroAddress } from 'viem'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../../../devnet/test/testContracts.ts'
import { devnet, useDevnet } from '../../../devnet/test/testDevnet.ts'
import { approvalSteps, approveParameters } from './takeQuote.ts'

const loanToken = zeroAddress
const amountsOf = (allowance: bigint, amount: bigint) =>
  approvalSteps({ loanToken, allowance, amount }).map(({ args }) => args[1])

describe('approvalSteps', () => {
  test('default', () => {
    expect(amountsOf(0n, 5n)).toEqual([5n])
  })

  test('behavior: resets a remaining allowance to zero first', () => {
    expect(amountsOf(4n, 5n)).toEqual([0n, 5n])
    expect(amountsOf(6n, 5n)).toEqual([0n, 5n])
  })

  test('behavior: no calls for an equal allowance, and one call to revoke', () => {
    expect(amountsOf(5n, 5n)).toEqual([])
    expect(amountsOf(0n, 0n)).toEqual([])
    expect(amountsOf(5n, 0n)).toEqual([0n])
  })

  test('behavior: each call equals that of approveParameters', () => {
    const options = { loanToken: `0x${'12'.repeat(20)}`, quoteMarketAddress: `0x${'34'.repeat(20)}` } as const
    expect(approvalSteps({ ...options, allowance: 1n, amount: 2n })).toEqual([
      approveParameters({ ...options, amount: 0n }),
      approveParameters({ ...options, amount: 2n }),
    ])
  })

  test('error: unreadable options', () => {
    expect(() => approvalSteps(null as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  test.each([undefined, '0x12'])('error: a loan token that is no address: %s', (loanToken) => {
    const wrong = expect.objectContaining({ code: 'INVALID_INPUT', path: 'loanToken' })
    expect(() => approveParameters({ loanToken: loanToken as never, amount: 1n })).toThrow(wrong)
    expect(() => approvalSteps({ loanToken: loanToken as never, allowance: 1n, amount: 2n })).toThrow(wrong)
  })
})

describe('a token like USDT', () => {
  let token: Address
  useDevnet(async () => {
    const contract = { abi: noReturnTokenAbi, bytecode: noReturnTokenBytecode }
    const receipt = await mined(await devnet.walletClient(devnet.deployer).deployContract(contract))
    token = receipt.contractAddress as Address
  })

  const mined = (hash: Hex) => devnet.publicClient.waitForTransactionReceipt({ hash })
  const readAllowance = () =>
    devnet.publicClient.readContract({
      address: token,
      abi: noReturnTokenAbi,
      functionName: 'allowance',
      args: [devnet.borrowers[0].address, devnet.contracts.quoteMarket],
    })

  test('default: the steps succeed where a single approval fails', async () => {
    const wallet = devnet.walletClient(devnet.borrowers[0])
    for (const amount of [70n, 90n, 20n]) {
      const allowance = await readAllowance()
      const steps = approvalSteps({ loanToken: token, allowance, amount })
      expect(steps).toHaveLength(allowance === 0n ? 1 : 2)
      if (allowance !== 0n) {
        const direct = approveParameters({ loanToken: token, amount })
        await expect(wallet.writeContract(direct)).rejects.toThrow(/reverted/)
      }
      for (const call of steps) expect((await mined(await wallet.writeContract(call))).status).toBe('success')
      expect(await readAllowance()).toBe(amount)
    }
  })

  test('behavior: simulates calls for tokens that return nothing or true', async () => {
    const account = devnet.borrowers[1].address
    for (const loanToken of [token, devnet.contracts.loanToken]) {
      const call = approveParameters({ loanToken, amount: 1n })
      expect(await devnet.publicClient.simulateContract({ ...call, account })).toMatchObject({ result: undefined })
    }
  })
})
