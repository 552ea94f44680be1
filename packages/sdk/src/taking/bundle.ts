import { BUNDLER3_ADDRESS, INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { BUNDLER_ADAPTER_ADDRESS } from '@firmquote/addresses/adapters'
import { bundler3Abi, bundlerAdapterAbi, interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import { guardInput } from '@firmquote/core/utils'
import {
  type Address,
  type Client,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseSignature,
  zeroHash,
} from 'viem'
import { multicall } from 'viem/actions'
import { checkedAddress, defaultChainId } from '../clientConfig.ts'
import { ChainUnavailableError } from '../coreErrors.ts'
import { takeQuoteParameters } from '../executability/takeQuote.ts'
import { costOf, type QuoteToTake } from './takeCalls.ts'

/** The contracts that a bundle uses. Default: the production deployment. */
export type BundleContracts = {
  chainId?: number | undefined
  quoteMarketAddress?: Address | undefined
  interestRatePoolAddress?: Address | undefined
  /** Takes quotes on behalf of the account that sends the bundle. */
  bundlerAdapterAddress?: Address | undefined
}

/** The borrower's state on which a bundle depends. */
export type BundleState = {
  contracts: { [Name in keyof BundleContracts]-?: NonNullable<BundleContracts[Name]> }
  borrower: Address
  loanToken: Address
  /** The quote market's allowance for the borrower's loan tokens, in raw units. */
  allowance: bigint
  /** Whether the adapter may open positions for the borrower. */
  isOperator: boolean
  /** The nonce of the borrower's next signed permission. */
  permissionNonce: bigint
  /** The token's EIP-2612 permit parameters, or null if it does not support permits. */
  permit: { name: string; version: string; nonce: bigint } | null
}

/** The borrower's signatures for a bundle, over {@link bundleTypedData}. */
export type BundleSignatures = { permit?: Hex | undefined; permission?: Hex | undefined }

const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const setOperatorTypes = {
  SetOperator: [
    { name: 'owner', type: 'address' },
    { name: 'operator', type: 'address' },
    { name: 'approved', type: 'bool' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** keccak256 of `Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)`. */
const permitTypehash = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'

// Marked as pure, so that bundlers can drop an unused ABI.
const tokenAbi = /* @__PURE__ */ parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

/** Bundler3's ABI and the errors of the contracts that it calls, so that viem can decode reverts. */
const bundleAbi = () =>
  [...bundler3Abi, ...[...quoteMarketAbi, ...bundlerAdapterAbi].filter((item) => item.type === 'error')] as const

/**
 * Reads the borrower's state that a bundle needs, at the latest block. Returns null if this quote market has no
 * adapter.
 *
 * @param client Reads the chain.
 * @throws {InvalidInputError} if a parameter is malformed.
 * @throws {ChainUnavailableError} if a read fails.
 * @example
 * ```ts
 * const state = await readBundleState(publicClient, { borrower: account.address, loanToken })
 * if (state === null) console.log('No bundler adapter: take the quotes one by one.')
 * ```
 */
export async function readBundleState(
  client: Client,
  given: BundleContracts & { borrower: Address; loanToken: Address },
): Promise<BundleState | null> {
  const { borrower, loanToken, contracts } = guardInput('parameters', () => ({
    borrower: checkedAddress(given.borrower, 'borrower'),
    loanToken: checkedAddress(given.loanToken, 'loanToken'),
    contracts: contractsOf(given),
  }))
  const { chainId, quoteMarketAddress, interestRatePoolAddress, bundlerAdapterAddress: adapter } = contracts
  const token = { address: loanToken, abi: tokenAbi } as const
  const pool = { address: interestRatePoolAddress, abi: interestRatePoolAbi } as const
  const results = await multicall(client, {
    multicallAddress: multicall3Address,
    // Read in one call, so that all values are from the same block and a single failed read can be distinguished from a
    // node failure.
    batchSize: 0,
    contracts: [
      { ...pool, functionName: 'isOperator', args: [borrower, adapter] },
      { ...pool, functionName: 'nonces', args: [borrower] },
      { ...token, functionName: 'allowance', args: [borrower, quoteMarketAddress] },
      { address: adapter, abi: bundlerAdapterAbi, functionName: 'bundler' },
      { address: adapter, abi: bundlerAdapterAbi, functionName: 'quoteMarket' },
      { ...token, functionName: 'nonces', args: [borrower] },
      { ...token, functionName: 'DOMAIN_SEPARATOR' },
      { ...token, functionName: 'PERMIT_TYPEHASH' },
      { ...token, functionName: 'name' },
      { ...token, functionName: 'version' },
    ],
  })
  const [isOperator, permissionNonce, allowance, bundler, market, nonce, separator, typehash, name, version] = results
  for (const { error: cause } of [isOperator, permissionNonce, allowance]) {
    if (cause) throw new ChainUnavailableError("Failed to read the borrower's permissions.", { cause })
  }
  const isAdapter =
    bundler.result !== undefined &&
    market.result !== undefined &&
    isAddressEqual(bundler.result, BUNDLER3_ADDRESS) &&
    isAddressEqual(market.result, quoteMarketAddress)
  if (!isAdapter) return null
  const domain = { name: name.result ?? '', version: version.result ?? '1', chainId, verifyingContract: loanToken }
  // A token with a different permit scheme would reject the signature.
  const hasPermit =
    nonce.result !== undefined &&
    separator.result === domainSeparator({ domain }) &&
    (typehash.result ?? permitTypehash) === permitTypehash
  return {
    contracts,
    borrower,
    loanToken,
    allowance: allowance.result ?? 0n,
    isOperator: isOperator.result ?? false,
    permissionNonce: permissionNonce.result ?? 0n,
    permit: hasPermit ? { name: domain.name, version: domain.version, nonce: nonce.result } : null,
  }
}

/**
 * Returns whether quotes can be taken in one bundle. If the token does not support permits (EIP-2612), the existing
 * allowance must be sufficient.
 *
 * @example
 * ```ts
 * const state = await readBundleState(publicClient, { borrower: account.address, loanToken })
 * if (state && canBundle(plan.takes, state)) console.log('One transaction takes them all.')
 * ```
 */
export function canBundle(quotes: readonly QuoteToTake[], state: BundleState): boolean {
  return guardInput('state', () => state.permit !== null || state.allowance >= costOf(quotes))
}

/**
 * Returns the EIP-712 typed data that a borrower signs for a bundle: an allowance for exactly the quotes' cost, and the
 * adapter's permission. Permissions that already exist are omitted.
 *
 * @param deadline The last Unix second at which the bundle can be executed. Choose a time in the near future. Until
 * then, anyone can submit the signatures. Submitting them grants no more than the bundle would, but the permissions
 * remain if the quotes can no longer be taken.
 * @example
 * ```ts
 * const state = await readBundleState(publicClient, { borrower: account.address, loanToken })
 * if (state) {
 *   const { permit, permission } = bundleTypedData(plan.takes, state, plan.block.timestamp + 180n)
 *   const allowance = permit && (await account.signTypedData(permit))
 *   const permitted = permission && (await account.signTypedData(permission))
 * }
 * ```
 */
export function bundleTypedData(quotes: readonly QuoteToTake[], state: BundleState, deadline: bigint) {
  return guardInput('state', () => typedDataOf(quotes, state, deadline))
}

function typedDataOf(quotes: readonly QuoteToTake[], state: BundleState, deadline: bigint) {
  const { contracts, borrower: owner, loanToken, allowance, isOperator, permissionNonce, permit } = state
  const { chainId, quoteMarketAddress: spender, interestRatePoolAddress, bundlerAdapterAddress: operator } = contracts
  const value = costOf(quotes)
  return {
    ...(allowance < value &&
      permit !== null && {
        permit: {
          domain: { name: permit.name, version: permit.version, chainId, verifyingContract: loanToken },
          types: permitTypes,
          primaryType: 'Permit',
          message: { owner, spender, value, nonce: permit.nonce, deadline },
        } as const,
      }),
    ...(!isOperator && {
      permission: {
        domain: { name: 'InterestRatePool', version: '1', chainId, verifyingContract: interestRatePoolAddress },
        types: setOperatorTypes,
        primaryType: 'SetOperator',
        message: { owner, operator, approved: true, nonce: permissionNonce, deadline },
      } as const,
    }),
  }
}

/**
 * Returns the Bundler3 call that takes all or none of the quotes in one transaction, for viem's `writeContract` or
 * `simulateContract`. The borrower must send it. It succeeds even if another account has already submitted the
 * signatures.
 *
 * @param deadline The deadline that the borrower signed.
 * @throws {InvalidInputError} if a quote costs more than its `maxCost`, or does not belong to the same pool as the
 * first.
 * @example
 * ```ts
 * const state = await readBundleState(publicClient, { borrower: account.address, loanToken })
 * if (state) {
 *   const deadline = plan.block.timestamp + 180n
 *   const { permit, permission } = bundleTypedData(plan.takes, state, deadline)
 *   const signatures = {
 *     permit: permit && (await account.signTypedData(permit)),
 *     permission: permission && (await account.signTypedData(permission)),
 *   }
 *   await send(bundleParameters(plan.takes, state, deadline, signatures))
 * }
 * ```
 */
export function bundleParameters(
  quotes: readonly QuoteToTake[],
  state: BundleState,
  deadline: bigint,
  signatures: BundleSignatures,
) {
  return guardInput('state', () => parametersOf(quotes, state, deadline, signatures))
}

function parametersOf(
  quotes: readonly QuoteToTake[],
  state: BundleState,
  deadline: bigint,
  signatures: BundleSignatures,
) {
  const { contracts, borrower, loanToken } = state
  const { quoteMarketAddress, interestRatePoolAddress, bundlerAdapterAddress } = contracts
  const cost = costOf(quotes)
  const calls = guardInput('signatures', () => {
    const { permit, permission } = signatures
    return [
      ...(permit === undefined
        ? []
        : [call(loanToken, permitData({ borrower, quoteMarketAddress, cost, deadline, permit }), true)]),
      ...(permission === undefined
        ? []
        : [
            call(
              interestRatePoolAddress,
              encodeFunctionData({
                abi: interestRatePoolAbi,
                functionName: 'setOperatorWithSignature',
                args: [borrower, bundlerAdapterAddress, true, deadline, permission],
              }),
              true,
            ),
          ]),
    ]
  })
  const takes = quotes.map(({ signed, maxCost }) => {
    const { args } = takeQuoteParameters(signed, { quoteMarketAddress, maxCost })
    return call(bundlerAdapterAddress, encodeFunctionData({ abi: bundlerAdapterAbi, functionName: 'takeQuote', args }))
  })
  return {
    address: BUNDLER3_ADDRESS as Address,
    abi: bundleAbi(),
    functionName: 'multicall',
    args: [[...calls, ...takes]],
  } as const
}

function permitData(given: {
  borrower: Address
  quoteMarketAddress: Address
  cost: bigint
  deadline: bigint
  permit: Hex
}): Hex {
  const { borrower, quoteMarketAddress, cost, deadline, permit } = given
  const { r, s, yParity } = parseSignature(permit)
  const args = [borrower, quoteMarketAddress, cost, deadline, 27 + yParity, r, s] as const
  return encodeFunctionData({ abi: tokenAbi, functionName: 'permit', args })
}

/**
 * Encodes a call. With `skipRevert`, the bundle continues even if the call fails. If a skipped permission call leaves
 * the permission missing, the take itself reverts.
 */
function call(to: Address, data: Hex, skipRevert = false) {
  return { to, data, value: 0n, skipRevert, callbackHash: zeroHash } as const
}

function contractsOf(given: BundleContracts): BundleState['contracts'] {
  return {
    chainId: given.chainId ?? defaultChainId,
    quoteMarketAddress: given.quoteMarketAddress ?? QUOTE_MARKET_ADDRESS,
    interestRatePoolAddress: given.interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS,
    bundlerAdapterAddress: given.bundlerAdapterAddress ?? BUNDLER_ADAPTER_ADDRESS,
  }
}
