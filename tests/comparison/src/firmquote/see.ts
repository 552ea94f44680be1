import { BorrowerClient } from '@firmquote/sdk'

const client = new BorrowerClient({ orderbookUrl: 'http://localhost:3005' })
const [{ poolId, series }] = await client.getPoolRates()
const size = { notional: 250_000_000_000n, minNotional: 250_000_000_000n }
const { quotes } = await client.requestQuotes({ poolId, seriesKey: series[2].seriesKey, ...size })
console.log(quotes[0].apr)
