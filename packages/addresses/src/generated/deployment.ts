// Generated from 8453.json by @firmquote/addresses. Do not edit. Change that file and regenerate.

/** interestRatePool on chain 8453. */
export const INTEREST_RATE_POOL_ADDRESS = "0x47b1251a8aAaf0297EB573cda8c4369fAF791A17"

/** bundler3 on chain 8453. */
export const BUNDLER3_ADDRESS = "0x6BFd8137e702540E7A42B74178A4a49Ba43920C4"

/** quoteMarket on chain 8453. */
export const QUOTE_MARKET_ADDRESS = "0x6E6f0D7dc5200d1d31bCC8e4e50F659fE4dD89D1"

/** keeperBundler on chain 8453. */
export const KEEPER_BUNDLER_ADDRESS = "0x42beae43898715d54284104220193CD62E0A0De9"

/** The block in which the interest-rate pool was deployed, from which to scan for its events. */
export const INTEREST_RATE_POOL_DEPLOY_BLOCK = 0

/** The deployment on chain 8453 as one object. */
export const PRODUCTION_DEPLOYMENT = {
  "chainId": 8453,
  "name": "Base",
  "note": "No production deployment of the Firmquote contracts is published yet. interestRatePool, quoteMarket, keeperBundler, bundlerAdapter, morphoBlue and morphoBlueAdapter are the deterministic addresses of the reference contracts, which the devnet deploys and which have no code on the public Base network; deployBlock is 0 so that a scan of the devnet starts at its genesis. bundler3 and the other adapters are Morpho's public contracts on Base.",
  "deployBlock": 0,
  "contracts": {
    "interestRatePool": "0x47b1251a8aAaf0297EB573cda8c4369fAF791A17",
    "bundler3": "0x6BFd8137e702540E7A42B74178A4a49Ba43920C4",
    "quoteMarket": "0x6E6f0D7dc5200d1d31bCC8e4e50F659fE4dD89D1",
    "keeperBundler": "0x42beae43898715d54284104220193CD62E0A0De9"
  },
  "adapters": {
    "bundlerAdapter": "0x7c4e0bb76EdA4FB2e9a519669A1F0C2Ad1f62cb1",
    "morphoBlue": "0xCE86DEDEff0CA9e4620AA42D3b01e8A896d9DA61",
    "morphoBlueAdapter": "0x6cba174226BC4946Db44f657bC252E6E68E2e09A",
    "generalAdapter1": "0xb98c948CFA24072e58935BC004a8A7b376AE746A",
    "erc20WrapperAdapter": "0xdeEf55F0A7366cC3Baf5E04313269389Fe17E9AE",
    "paraswapAdapter": "0x6abE8ABd0275E5564ed1336F0243A52C32562F71",
    "aaveV3MigrationAdapter": "0xb27Aa2a964eAd5ed661D86974b37e4fB995b36f5",
    "compoundV3MigrationAdapter": "0x85D4812Ef92c040d4270eD8547b6835e41FbbB70"
  }
} as const
