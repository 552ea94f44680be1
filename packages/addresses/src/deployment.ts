/** 20 bytes in hex, with the EIP-55 checksum in a {@link Deployment}. */
export type Address = `0x${string}`

/** One deployment of the contracts, as in a deployment file and in `PRODUCTION_DEPLOYMENT`. */
export type Deployment = {
  /** The EIP-155 chain id. */
  readonly chainId: number
  /** The chain's display name. */
  readonly name: string
  /** A note about these addresses for readers. */
  readonly note?: string
  /** The block of the interest-rate pool's deployment, the first to scan for events. */
  readonly deployBlock: number
  readonly contracts: {
    readonly interestRatePool: Address
    readonly bundler3: Address
    readonly quoteMarket: Address
    readonly keeperBundler: Address
  }
  /** Adapters of the pool and of Bundler3 by name, in camelCase. */
  readonly adapters: { readonly [name: string]: Address }
}
