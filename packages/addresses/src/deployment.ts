/** 20 bytes in hex. In a {@link Deployment} always with its EIP-55 checksum. */
export type Address = `0x${string}`

/** One deployment of the contracts, as a deployment file has it and as `PRODUCTION_DEPLOYMENT` carries it. */
export type Deployment = {
  /** As in EIP-155. */
  readonly chainId: number
  /** The chain's name, for people. */
  readonly name: string
  /** What a reader should know about these addresses. */
  readonly note?: string
  /** The block of the interest-rate pool's deployment: where a scan for its events begins. */
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
