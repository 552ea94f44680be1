/** 20 bytes as hex. Addresses in a {@link Deployment} are EIP-55 checksummed. */
export type Address = `0x${string}`

/** A deployment of the contracts, as in a deployment file and `PRODUCTION_DEPLOYMENT`. */
export type Deployment = {
  /** The EIP-155 chain id. */
  readonly chainId: number
  /** The chain's display name. */
  readonly name: string
  /** A note about these addresses. */
  readonly note?: string
  /** The block in which the interest-rate pool was deployed; scan for events from here. */
  readonly deployBlock: number
  readonly contracts: {
    readonly interestRatePool: Address
    readonly bundler3: Address
    readonly quoteMarket: Address
    readonly keeperBundler: Address
  }
  /** Adapters for the pool and Bundler3, by camelCase name. */
  readonly adapters: { readonly [name: string]: Address }
}
