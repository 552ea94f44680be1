import { OrderKind, OrderStatus, SupportedChainId, TradingSdk } from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import { createPublicClient, type Hash, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'

const signer = privateKeyToAccount(process.env['PRIVATE_KEY'] as Hex)
const provider = createPublicClient({ chain: mainnet, transport: http() })
const adapter = new ViemAdapter({ provider, signer })
const sdk = new TradingSdk({ chainId: SupportedChainId.MAINNET, appCode: 'comparison' }, {}, adapter)
const [USDC, WETH] = ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2']
const sale = { kind: OrderKind.SELL, sellToken: USDC, sellTokenDecimals: 6, amount: '250000000000' }
const purchase = { buyToken: WETH, buyTokenDecimals: 18, slippageBps: 50 }

// Once per wallet: an allowance.
const hash = await sdk.approveCowProtocol({ tokenAddress: USDC, amount: 250_000_000_000n })
await provider.waitForTransactionReceipt({ hash: hash as Hash })

const { quoteResults, postSwapOrderFromQuote } = await sdk.getQuote({ ...sale, ...purchase })
console.log(quoteResults.amountsAndCosts.afterNetworkCosts.buyAmount)
const { orderId } = await postSwapOrderFromQuote()
const readStatus = async () => (await sdk.getOrder({ orderUid: orderId })).status
while ((await readStatus()) === OrderStatus.OPEN) await new Promise((resolve) => setTimeout(resolve, 2_000))
console.log(await readStatus())
