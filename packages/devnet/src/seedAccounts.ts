import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { backers, borrowers, deployer, newcomers } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { backerBalance, borrowerBalance, devnetMarkets } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { morphoAbi } from './generated/morpho.ts'
import { testTokenAbi } from './generated/testToken.ts'
import type { DevnetTransaction } from './sendTransactions.ts'

const { morpho, loanToken, quoteMarket, interestRatePool } = devnetAddresses

function mint(token: Address, to: Address, amount: bigint): DevnetTransaction {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amount] })
  return { from: deployer.address, to: token, data }
}

function approve(from: Address, token: Address, spender: Address): DevnetTransaction {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [spender, maxUint256] })
  return { from, to: token, data }
}

function lend(): DevnetTransaction[] {
  const from = deployer.address
  return [
    approve(from, loanToken, morpho),
    ...devnetMarkets.flatMap(({ params, supply }) => [
      mint(loanToken, from, supply),
      {
        from,
        to: morpho,
        data: encodeFunctionData({ abi: morphoAbi, functionName: 'supply', args: [params, supply, 0n, from, '0x'] }),
      },
    ]),
  ]
}

function fundBacker(backer: Address): DevnetTransaction[] {
  return [mint(loanToken, backer, backerBalance), approve(backer, loanToken, quoteMarket)]
}

/** Opens a debt in each market, and mints tokens to pay for a fixed rate. */
function fundDebtor(from: Address, debts: readonly (bigint | undefined)[]): DevnetTransaction[] {
  const toMorpho = (data: Hex): DevnetTransaction => ({ from, to: morpho, data })
  return [
    ...devnetMarkets.flatMap(({ params, collateral }, market) => [
      mint(params.collateralToken, from, collateral),
      approve(from, params.collateralToken, morpho),
      toMorpho(
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'supplyCollateral',
          args: [params, collateral, from, '0x'],
        }),
      ),
      toMorpho(
        encodeFunctionData({
          abi: morphoAbi,
          functionName: 'borrow',
          args: [params, debts[market] ?? 0n, 0n, from, from],
        }),
      ),
    ]),
    mint(loanToken, from, borrowerBalance),
  ]
}

/** Grants the permissions that a borrower needs before the first take. */
function permitMarket(from: Address): DevnetTransaction[] {
  return [
    approve(from, loanToken, quoteMarket),
    {
      from,
      to: interestRatePool,
      data: encodeFunctionData({
        abi: interestRatePoolAbi,
        functionName: 'setOperator',
        args: [quoteMarket, true],
      }),
    },
  ]
}

/** Returns the transactions that fund the lender, backers, borrowers and newcomers. The markets must already exist. */
export function seedTransactions(): DevnetTransaction[] {
  return [
    ...lend(),
    ...backers.flatMap(({ address }) => fundBacker(address)),
    ...borrowers.flatMap(({ address }, position) => [
      ...fundDebtor(
        address,
        devnetMarkets.map(({ debts }) => debts.borrowers[position]),
      ),
      ...permitMarket(address),
    ]),
    ...newcomers.flatMap(({ address }, position) =>
      fundDebtor(
        address,
        devnetMarkets.map(({ debts }) => debts.newcomers[position]),
      ),
    ),
  ]
}
