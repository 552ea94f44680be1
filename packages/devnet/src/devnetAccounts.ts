import type { Address, Hex } from 'viem'

/** One of anvil's accounts. This account's key is public, so never use it on another chain. */
export type DevnetAccount = { readonly address: Address; readonly privateKey: Hex }

/** anvil account 0, which deploys and owns the contracts and lends on Morpho. */
export const deployer: DevnetAccount = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
}

/** anvil accounts 1-3: makers with loan tokens and an allowance for the quote market. */
export const backers: readonly [DevnetAccount, DevnetAccount, DevnetAccount] = [
  {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  {
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    privateKey: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    privateKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
]

/**
 * anvil accounts 4-6: borrowers with Morpho debt, loan tokens, and an allowance and operator permission for the quote
 * market.
 */
export const borrowers: readonly [DevnetAccount, DevnetAccount, DevnetAccount] = [
  {
    address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    privateKey: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  },
  {
    address: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    privateKey: '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  },
  {
    address: '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    privateKey: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  },
]

/**
 * Accounts 10-13 of anvil's mnemonic: first-time borrowers with Morpho debt and loan tokens, but no allowance or
 * operator permission. The second account supports atomic batches.
 */
export const newcomers: readonly [DevnetAccount, DevnetAccount, DevnetAccount, DevnetAccount] = [
  {
    address: '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
    privateKey: '0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897',
  },
  {
    address: '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
    privateKey: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
  },
  {
    address: '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
    privateKey: '0xa267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1',
  },
  {
    address: '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec',
    privateKey: '0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd',
  },
]

/** Number of anvil accounts that the devnet uses. */
export const accountCount = 14
