import { type Address, encodeDeployData, getCreate2Address, type Hex, parseUnits, zeroHash } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { bundlerAdapterAbi, bundlerAdapterBytecode } from './generated/bundlerAdapter.ts'
import { fixedOracleAbi, fixedOracleBytecode } from './generated/fixedOracle.ts'
import { interestRatePoolAbi, interestRatePoolBytecode } from './generated/interestRatePool.ts'
import { keeperBundlerAbi, keeperBundlerBytecode } from './generated/keeperBundler.ts'
import { linearIrmBytecode } from './generated/linearIrm.ts'
import { morphoAbi, morphoBytecode } from './generated/morpho.ts'
import { morphoBlueAdapterAbi, morphoBlueAdapterBytecode } from './generated/morphoBlueAdapter.ts'
import { quoteMarketAbi, quoteMarketBytecode } from './generated/quoteMarket.ts'
import { testTokenAbi, testTokenBytecode } from './generated/testToken.ts'

/**
 * The deterministic deployment proxy, which exists on nearly every chain, even a new anvil chain. The proxy's calldata
 * is the salt followed by the creation code.
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The salt for all contracts, which can share it because no two have the same creation code. */
export const create2Salt = zeroHash

/** Creation code with constructor arguments, and the address at which {@link create2Deployer} deploys it. */
export type DevnetContract = { readonly initCode: Hex; readonly address: Address }

function devnetContract(initCode: Hex): DevnetContract {
  return { initCode, address: getCreate2Address({ from: create2Deployer, salt: create2Salt, bytecode: initCode }) }
}

function testToken(name: string, symbol: string, decimals: number): DevnetContract {
  return devnetContract(
    encodeDeployData({ abi: testTokenAbi, bytecode: testTokenBytecode, args: [name, symbol, decimals] }),
  )
}

/**
 * Returns an oracle's creation code. `price` is a decimal string, in whole loan tokens per whole collateral token.
 * Morpho's own prices are ratios of raw units, scaled by 1e36.
 */
export function oracleInitCode(price: string, collateralDecimals: number): Hex {
  const scaled = parseUnits(price, 36 + 6 - collateralDecimals)
  return encodeDeployData({ abi: fixedOracleAbi, bytecode: fixedOracleBytecode, args: [scaled] })
}

const interestRatePool = devnetContract(
  encodeDeployData({ abi: interestRatePoolAbi, bytecode: interestRatePoolBytecode, args: [deployer.address] }),
)
const morpho = devnetContract(encodeDeployData({ abi: morphoAbi, bytecode: morphoBytecode, args: [deployer.address] }))

const quoteMarket = devnetContract(
  encodeDeployData({ abi: quoteMarketAbi, bytecode: quoteMarketBytecode, args: [interestRatePool.address] }),
)
/** Morpho's Bundler3 on Base. */
const bundler3: Address = '0x6BFd8137e702540E7A42B74178A4a49Ba43920C4'

/** All of the devnet's deployments, in dependency order. */
export const deployments = {
  loanToken: testToken('Test USD', 'tUSD', 6),
  wethToken: testToken('Test Wrapped Ether', 'tWETH', 18),
  btcToken: testToken('Test Bitcoin', 'tBTC', 8),
  wethOracle: devnetContract(oracleInitCode('3000', 18)),
  btcOracle: devnetContract(oracleInitCode('90000', 8)),
  irm: devnetContract(linearIrmBytecode),
  morpho,
  morphoAdapter: devnetContract(
    encodeDeployData({ abi: morphoBlueAdapterAbi, bytecode: morphoBlueAdapterBytecode, args: [morpho.address] }),
  ),
  interestRatePool,
  quoteMarket,
  keeperBundler: devnetContract(
    encodeDeployData({ abi: keeperBundlerAbi, bytecode: keeperBundlerBytecode, args: [interestRatePool.address] }),
  ),
  bundlerAdapter: devnetContract(
    encodeDeployData({
      abi: bundlerAdapterAbi,
      bytecode: bundlerAdapterBytecode,
      args: [bundler3, quoteMarket.address],
    }),
  ),
} as const satisfies Record<string, DevnetContract>

/** The devnet's contract addresses, with EIP-55 checksums. */
export type DevnetContracts = {
  readonly quoteMarket: Address
  readonly interestRatePool: Address
  readonly keeperBundler: Address
  /** A reference bundler at the address of Morpho's Bundler3 on Base. */
  readonly bundler3: Address
  /** Takes quotes for the account that sends a bundle. */
  readonly bundlerAdapter: Address
  readonly morpho: Address
  readonly morphoAdapter: Address
  /** tUSD, which has 6 decimals. Anyone can mint it. */
  readonly loanToken: Address
  /** A reference multicall at Multicall3's usual address. */
  readonly multicall3: Address
}

/**
 * The devnet's contract addresses. The addresses are the same on every run and chain id, because they are either
 * CREATE2 addresses, which depend only on the bytecode, or one of two well-known addresses.
 */
export const devnetAddresses: DevnetContracts = {
  quoteMarket: deployments.quoteMarket.address,
  interestRatePool: deployments.interestRatePool.address,
  keeperBundler: deployments.keeperBundler.address,
  bundler3,
  bundlerAdapter: deployments.bundlerAdapter.address,
  morpho: deployments.morpho.address,
  morphoAdapter: deployments.morphoAdapter.address,
  loanToken: deployments.loanToken.address,
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
}
