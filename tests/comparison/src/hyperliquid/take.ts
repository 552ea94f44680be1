import { ExchangeClient, HttpTransport, InfoClient } from '@nktkas/hyperliquid'
import { createWalletClient, erc20Abi, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { arbitrum } from 'viem/chains'

const account = privateKeyToAccount(process.env['PRIVATE_KEY'] as Hex)
const transport = new HttpTransport()
const info = new InfoClient({ transport })

// Once per wallet: a deposit.
const wallet = createWalletClient({ account, chain: arbitrum, transport: http() }).extend(publicActions)
const usdc = { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', abi: erc20Abi } as const
const bridge = '0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7'
const hash = await wallet.writeContract({ ...usdc, functionName: 'transfer', args: [bridge, 50_000_000_000n] })
await wallet.waitForTransactionReceipt({ hash })
const readFunds = async () => Number((await info.clearinghouseState({ user: account.address })).withdrawable)
while ((await readFunds()) < 50_000) await new Promise((resolve) => setTimeout(resolve, 2_000))

const book = await info.l2Book({ coin: 'ETH' })
const asks = book?.levels[1] ?? []
const level = asks.find((_, i) => asks.slice(0, i + 1).reduce((sum, { sz }) => sum + Number(sz), 0) >= 80)
console.log(level?.px)
const exchange = new ExchangeClient({ transport, wallet: account })
// Asset 1 is ETH. The order buys at 3,300 or less, and cancels what it cannot fill at once.
const order = { a: 1, b: true, p: '3300', s: '80', r: false, t: { limit: { tif: 'Ioc' } } } as const
const { response } = await exchange.order({ orders: [order] })
console.log(response.data.statuses[0])
