import type * as sdk from '@firmquote/sdk'
import type * as viem from 'viem'

type WalletClient = viem.WalletClient<viem.Transport, viem.Chain, viem.Account>

/**
 * What an example of a docstring may use besides the names of `@firmquote/sdk` and viem. The comment at the head of the SDK's
 * `index.ts` tells readers the same.
 */
export type ExampleNames = {
  client: sdk.ServiceClient
  orderbookUrl: string
  webSocketUrl: string
  chainId: number
  poolId: viem.Hex
  seriesKey: viem.Hex
  expiry: number
  loanToken: viem.Address
  notional: bigint
  request: { poolId: viem.Hex; seriesKey: viem.Hex; notional: bigint }

  account: viem.LocalAccount
  publicClient: viem.PublicClient<viem.Transport, viem.Chain>
  walletClient: WalletClient
  send: (call: {
    address: viem.Address
    abi: viem.Abi
    functionName: string
    args: readonly unknown[]
  }) => Promise<viem.TransactionReceipt>
  result: sdk.RFQResult
  best: sdk.RFQResult['quotes'][number]
  plan: sdk.TakePlan
  verdict: sdk.Executability
  position: sdk.FixedPosition

  maker: viem.Address
  key: viem.Hex
  makerWallet: WalletClient
  signer: sdk.BackerSigner
  quote: sdk.QuoteMarketQuote
  signed: sdk.SignedQuote
  socket: sdk.RFQWebSocketClient
  rfq: sdk.RFQBroadcast
  price: (rfq: sdk.RFQBroadcast) => sdk.QuoteMarketQuote
  safe: viem.Address
  owner: viem.LocalAccount
}
