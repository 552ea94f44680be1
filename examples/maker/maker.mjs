// A maker for Node 22 or later that uses viem and none of Firmquote's packages. Quotes every RFQ in full at 5 % APR.
import { randomBytes } from 'node:crypto'
import { createPublicClient, http, isAddressEqual, parseAbi, parseAbiParameters, stringify, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { FIRMQUOTE_URL, RPC_URL, QUOTE_MARKET, PRIVATE_KEY } = process.env
const account = privateKeyToAccount(PRIVATE_KEY)
const client = createPublicClient({ transport: http(RPC_URL) })
const chainId = await client.getChainId()
const contract = { address: QUOTE_MARKET, abi: parseAbi(['function nonces(address maker) view returns (uint256)']) }
const url = `${FIRMQUOTE_URL.replace(/^http/, 'ws')}/ws/rfq`
const now = () => Math.floor(Date.now() / 1_000)
const authFields = 'address backer,string audience,address quoteMarket,bytes32 nonce,uint64 timestamp,string purpose'
const terms = 'address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount'
const quoteFields = `${terms},uint256 nonce,uint256 deadline,bytes32 salt`
const types = { BackerAuth: parseAbiParameters(authFields), Quote: parseAbiParameters(quoteFields) }
const quotes = new Map()

void (function connect() {
  const socket = new WebSocket(url)
  socket.onmessage = async ({ data }) => {
    const message = JSON.parse(data)
    console.log(message.type, message.status ?? message.code ?? '')
    if (message.type === 'auth_challenge') socket.send(await authenticate(message))
    if (message.type === 'quote_ack' && message.code !== 'OUTCOME_UNKNOWN') quotes.set(message.rfqId, null)
    const rfqs = message.type === 'rfq' ? [message] : (message.openRfqs ?? [])
    for (const rfq of rfqs) if (quotes.get(rfq.rfqId) !== null) socket.send(await answer(rfq))
  }
  socket.onclose = ({ code, reason }) => {
    console.log('closed', code, reason)
    setTimeout(connect, code >= 4400 ? 60_000 : 2_000 * Math.random())
  }
})()

async function authenticate({ challenge, chainId: theirs, quoteMarket }) {
  const [, version, audience, nonce] = challenge.split('|')
  // Reject challenges that were relayed from, or are meant for, another service.
  const isMeant = version === '1' && audience === url && theirs === chainId && isAddressEqual(quoteMarket, QUOTE_MARKET)
  if (!isMeant) throw new Error(`${url} sent a challenge for ${audience}, market ${quoteMarket} and chain ${theirs}.`)
  const purpose = 'Authenticate backer connection. This is not a quote and moves no funds.'
  const message = { backer: account.address, audience, quoteMarket, nonce: `0x${nonce}`, timestamp: now(), purpose }
  const domain = { name: 'Firmquote Backer Auth', version: '1', chainId }
  const signature = await account.signTypedData({ domain, types, primaryType: 'BackerAuth', message })
  return stringify({ type: 'auth', address: account.address, timestamp: message.timestamp, signature })
}

async function answer({ rfqId, poolId, seriesKey, expiry, notional: asked, minDeadline, taker = zeroAddress }) {
  // Repeat the same quote after a reconnect, because the service may have accepted it. After the verdict, it is null.
  if (quotes.has(rfqId)) return quotes.get(rfqId)
  const nonce = await client.readContract({ ...contract, functionName: 'nonces', args: [account.address] })
  const [notional, term] = [BigInt(asked), BigInt(expiry - now())]
  const vrtAmount = (notional * 5n * term) / (100n * 31_536_000n)
  const [deadline, salt] = [BigInt(minDeadline) + 60n, `0x${randomBytes(32).toString('hex')}`]
  const quote = { maker: account.address, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt }
  const domain = { name: 'QuoteMarket', version: '1', chainId, verifyingContract: QUOTE_MARKET }
  const signature = await account.signTypedData({ domain, types, primaryType: 'Quote', message: quote })
  if (quotes.size === 1_000) quotes.delete(quotes.keys().next().value)
  if (!quotes.has(rfqId)) quotes.set(rfqId, stringify({ type: 'quote', rfqId, quote: { ...quote, signature } }))
  return quotes.get(rfqId)
}
