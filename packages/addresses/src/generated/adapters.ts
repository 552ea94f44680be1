// Generated from 8453.json by @firmquote/addresses. Do not edit. Change that file and regenerate.

/** bundlerAdapter on chain 8453. */
export const BUNDLER_ADAPTER_ADDRESS = "0x7c4e0bb76EdA4FB2e9a519669A1F0C2Ad1f62cb1"

/** morphoBlue on chain 8453. */
export const MORPHO_BLUE_ADDRESS = "0xCE86DEDEff0CA9e4620AA42D3b01e8A896d9DA61"

/** morphoBlueAdapter on chain 8453. */
export const MORPHO_BLUE_ADAPTER_ADDRESS = "0x6cba174226BC4946Db44f657bC252E6E68E2e09A"

/** generalAdapter1 on chain 8453. */
export const GENERAL_ADAPTER1_ADDRESS = "0xb98c948CFA24072e58935BC004a8A7b376AE746A"

/** erc20WrapperAdapter on chain 8453. */
export const ERC20_WRAPPER_ADAPTER_ADDRESS = "0xdeEf55F0A7366cC3Baf5E04313269389Fe17E9AE"

/** paraswapAdapter on chain 8453. */
export const PARASWAP_ADAPTER_ADDRESS = "0x6abE8ABd0275E5564ed1336F0243A52C32562F71"

/** aaveV3MigrationAdapter on chain 8453. */
export const AAVE_V3_MIGRATION_ADAPTER_ADDRESS = "0xb27Aa2a964eAd5ed661D86974b37e4fB995b36f5"

/** compoundV3MigrationAdapter on chain 8453. */
export const COMPOUND_V3_MIGRATION_ADAPTER_ADDRESS = "0x85D4812Ef92c040d4270eD8547b6835e41FbbB70"
