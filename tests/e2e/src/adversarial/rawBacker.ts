import { backerAuthTypedData, parseChallenge } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'

/** A connection to the backer socket that answers pings, and otherwise acts only when the test tells it to. */
export type RawBacker = ReturnType<typeof connectRawBacker>

/** Returns the URL of a server's backer socket. */
export function socketUrlOf(url: string): string {
  return `${url.replace('http', 'ws')}/ws/rfq`
}

type Message = { type: string; challenge: string; chainId: number; quoteMarket: Hex; serverTime: number }

/**
 * Connects from a loopback address. If there is a key, answers the challenge. If there is a contract, answers for it
 * with bytes that only a contract could accept.
 */
export function connectRawBacker(
  url: string,
  { localAddress, privateKey, contract }: { localAddress: string; privateKey?: Hex; contract?: Address },
) {
  const socket = new WebSocket(url.replace('localhost', '127.0.0.1'), { localAddress, perMessageDeflate: false })
  // `close` follows.
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  const authenticated = new Promise<number | null>((resolve) => {
    void ended.then(() => resolve(null))
    socket.on('message', async (data) => {
      const message = JSON.parse(String(data)) as Message
      if (message.type === 'authenticated') resolve(performance.now())
      if (message.type !== 'auth_challenge') return
      if (privateKey) socket.send(await authenticate(message, privateKey))
      if (contract) socket.send(answerOf(contract, message, noSignature))
    })
  })
  return {
    /**
     * Resolves to the time when `authenticated` arrived (`performance.now()`), or to null if the connection closed
     * first.
     */
    authenticated,
    /** Resolves once the connection has closed. */
    ended,
    isOpen: () => socket.readyState === socket.OPEN,
    end: () => socket.terminate(),
  }
}

async function authenticate(message: Message, privateKey: Hex): Promise<string> {
  const { challenge, chainId, quoteMarket } = message
  const parsed = parseChallenge(challenge)
  if (!parsed) throw new TypeError('The server sent an invalid challenge.')
  const account = privateKeyToAccount(privateKey)
  const timestamp = timestampOf(message)
  const data = backerAuthTypedData({ ...parsed, chainId, quoteMarket, backer: account.address, timestamp })
  return answerOf(account.address, message, await account.signTypedData(data))
}

const noSignature: Hex = `0x${'11'.repeat(65)}`
const timestampOf = ({ serverTime }: Message) => Math.floor(serverTime / 1_000)

function answerOf(address: Address, message: Message, signature: Hex): string {
  return JSON.stringify({ type: 'auth', address, timestamp: timestampOf(message), signature })
}
