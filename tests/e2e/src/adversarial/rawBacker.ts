import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { answerChallenge, openSocket } from '../../../../apps/server/test/socketClient.ts'

/** A connection to the backer socket that answers pings, and otherwise acts only when the test tells it to. */
export type RawBacker = ReturnType<typeof connectRawBacker>

/** Returns the URL of a server's backer socket. */
export function socketUrlOf(url: string): string {
  return `${url.replace('http', 'ws')}/ws/rfq`
}

/**
 * Connects from a loopback address. If there is a key, answers the challenge. If there is a contract, answers for it
 * with bytes that only a contract could accept.
 */
export function connectRawBacker(
  url: string,
  { localAddress, privateKey, contract }: { localAddress: string; privateKey?: Hex; contract?: Address },
) {
  const { socket, closed, next, send } = openSocket(url.replace('localhost', '127.0.0.1'), { localAddress })
  const authenticate = async () => {
    const challenge = await next('auth_challenge')
    const timestamp = Math.floor(challenge.serverTime / 1_000)
    if (privateKey) send(await answerChallenge(challenge, privateKeyToAccount(privateKey), { timestamp }))
    if (contract) send({ type: 'auth', address: contract, timestamp, signature: noSignature })
    await next('authenticated')
    return performance.now()
  }
  return {
    /**
     * Resolves to the time when `authenticated` arrived (`performance.now()`), or to null if the connection closed
     * first.
     */
    authenticated: authenticate().catch(() => null),
    /** Resolves once the connection has closed. */
    ended: closed,
    isOpen: () => socket.readyState === socket.OPEN,
    end: () => socket.terminate(),
  }
}

const noSignature: Hex = `0x${'11'.repeat(65)}`
