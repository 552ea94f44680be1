import type {
  BackerSigner,
  Executability,
  FixedPosition,
  QuoteMarketQuote,
  RFQBroadcast,
  RFQResult,
  RFQWebSocketClient,
  ServiceClient,
  SignedQuote,
  TakePlan,
} from '@firmquote/sdk'
import type {
  Abi,
  Account,
  Address,
  Chain,
  Hex,
  LocalAccount,
  PublicClient,
  TransactionReceipt,
  Transport,
  WalletClient,
} from 'viem'

/**
 * What an example of a docstring may use besides the names of `@firmquote/sdk` and viem. The comment at the head of the SDK's
 * `index.ts` tells readers the same.
 */
export type ExampleNames = {
  client: ServiceClient
  orderbookUrl: string
  webSocketUrl: string
  chainId: number
  poolId: Hex
  seriesKey: Hex
  expiry: number
  loanToken: Address
  notional: bigint
  request: { poolId: Hex; seriesKey: Hex; notional: bigint }

  account: LocalAccount
  publicClient: PublicClient<Transport, Chain>
  walletClient: WalletClient<Transport, Chain, Account>
  send: (call: {
    address: Address
    abi: Abi
    functionName: string
    args: readonly unknown[]
  }) => Promise<TransactionReceipt>
  result: RFQResult
  best: RFQResult['quotes'][number]
  plan: TakePlan
  verdict: Executability
  position: FixedPosition

  maker: Address
  key: Hex
  makerWallet: WalletClient<Transport, Chain, Account>
  signer: BackerSigner
  quote: QuoteMarketQuote
  signed: SignedQuote
  socket: RFQWebSocketClient
  rfq: RFQBroadcast
  price: (rfq: RFQBroadcast) => QuoteMarketQuote
  safe: Address
  owner: LocalAccount
}
