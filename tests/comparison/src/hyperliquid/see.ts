import { HttpTransport, InfoClient } from '@nktkas/hyperliquid'

const info = new InfoClient({ transport: new HttpTransport() })
const book = await info.l2Book({ coin: 'ETH' })
const asks = book?.levels[1] ?? []
const level = asks.find((_, i) => asks.slice(0, i + 1).reduce((sum, { sz }) => sum + Number(sz), 0) >= 80)
console.log(level?.px)
