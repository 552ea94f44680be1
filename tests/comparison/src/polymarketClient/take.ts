import { createSecureClient, OrderSide, OrderType } from '@polymarket/client'
import { privateKey } from '@polymarket/client/viem'
import { privateKeyToAddress } from 'viem/accounts'

const key = process.env['PRIVATE_KEY'] as `0x${string}`
const client = await createSecureClient({ signer: privateKey(key), wallet: privateKeyToAddress(key) })

// Once per wallet: allowances.
await client.setupTradingApprovals()

// An outcome of a market. Choose one that is open.
const tokenId = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const order = { tokenId, side: OrderSide.BUY, amount: 250, orderType: OrderType.FOK } as const
console.log(await client.estimateMarketPrice(order))
const response = await client.placeMarketOrder({ ...order, maxPrice: 0.6 })
if (response.ok) console.log(response.takingAmount, await client.waitForOrderFillSettlement(response))
