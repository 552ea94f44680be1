// A maker of quotes without any package of Firmquote: Node 22 or later, and viem. It offers every RFQ 5 % a year for all of it.
//   FIRMQUOTE_URL=… RPC_URL=… QUOTE_MARKET=… PRIVATE_KEY=… node maker.mjs
import { randomBytes } from 'node:crypto'
import { createPublicClient, http, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { FIRMQUOTE_URL, RPC_URL, QUOTE_MARKET, PRIVATE_KEY } = process.env
const account = privateKeyToAccount(PRIVATE_KEY)
const client = createPublicClient({ transport: http(RPC_URL) })
const chainId = await client.getChainId()
const abi = parseAbi(['function nonces(address maker) view returns (uint256)'])
const now = () => Math.floor(Date.now() / 1_000)
const fields = (text) => text.split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))
const authFields = 'address backer,string audience,address quoteMarket,bytes32 nonce,uint64 timestamp,string purpose'
const quoteFields =
  'address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount,uint256 nonce,uint256 deadline,bytes32 salt'

const url = `${FIRMQUOTE_URL.replace(/^http/, 'ws')}/ws/rfq`
const socket = new WebSocket(url)
const encode = (_, value) => (typeof value === 'bigint' ? `${value}` : value)
const send = (message) => socket.send(JSON.stringify(message, encode))
const handlers = { auth_challenge: authenticate, authenticated: ({ openRfqs }) => openRfqs.map(answer), rfq: answer }
socket.onmessage = async ({ data }) => {
  const message = JSON.parse(data)
  console.log(message.type, message.status ?? message.code ?? '')
  await handlers[message.type]?.(message)
}
socket.onclose = ({ code, reason }) => console.log('closed', code, reason)

async function authenticate({ challenge, chainId: theirs, quoteMarket }) {
  const [, version, audience, nonce] = challenge.split('|')
  // Otherwise another service passes on this one's challenge, or this one another's.
  const isMeant = version === '1' && audience === url && theirs === chainId && isAddressEqual(quoteMarket, QUOTE_MARKET)
  if (!isMeant) throw new Error(`${url} says that it is ${audience} for ${quoteMarket} on chain ${theirs}.`)
  const timestamp = now()
  const purpose = 'Authenticate backer connection. This is not a quote and moves no funds.'
  const message = { backer: account.address, audience, quoteMarket, nonce: `0x${nonce}`, timestamp, purpose }
  const domain = { name: 'Firmquote Backer Auth', version: '1', chainId }
  const types = { BackerAuth: fields(authFields) }
  const signature = await account.signTypedData({ domain, types, primaryType: 'BackerAuth', message })
  send({ type: 'auth', address: account.address, timestamp, signature })
}

async function answer({ rfqId, poolId, seriesKey, expiry, notional: asked, minDeadline, taker = zeroAddress }) {
  const [notional, term] = [BigInt(asked), BigInt(expiry - now())]
  const vrtAmount = (notional * 5n * term) / (100n * 31_536_000n)
  const nonce = await client.readContract({
    address: QUOTE_MARKET,
    abi,
    functionName: 'nonces',
    args: [account.address],
  })
  const [deadline, salt] = [BigInt(minDeadline) + 60n, `0x${randomBytes(32).toString('hex')}`]
  const quote = { maker: account.address, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt }
  const domain = { name: 'QuoteMarket', version: '1', chainId, verifyingContract: QUOTE_MARKET }
  const types = { Quote: fields(quoteFields) }
  const signature = await account.signTypedData({ domain, types, primaryType: 'Quote', message: quote })
  send({ type: 'quote', rfqId, quote: { ...quote, signature } })
}
