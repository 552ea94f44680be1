import { OrderBookApi, OrderQuoteSideKindSell, SupportedChainId } from '@cowprotocol/cow-sdk'

const [USDC, WETH] = ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2']
// The quote needs the address of an owner, but no key.
const from = '0x000000000000000000000000000000000000dEaD'
const side = { kind: OrderQuoteSideKindSell.SELL, sellAmountBeforeFee: '250000000000' }
const api = new OrderBookApi({ chainId: SupportedChainId.MAINNET })
const { quote } = await api.getQuote({ sellToken: USDC, buyToken: WETH, from, ...side })
console.log(quote.buyAmount)
