import { Chain, ClobClient, Side } from '@polymarket/clob-client-v2'

// An outcome of a market. Choose one that is open.
const tokenID = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
const client = new ClobClient({ host: 'https://clob.polymarket.com', chain: Chain.POLYGON })
const price = await client.calculateMarketPrice(tokenID, Side.BUY, 250)
console.log(price)
