import type { ClientMessage, Code } from '@firmquote/core'
import { formatKey } from '@firmquote/verify'
import type { Address } from 'viem'
import { parseWitnessKey, type Witnesses, type WitnessPlace } from '../../app/proofs/witnesses.ts'
import type { BackerConnection } from './backerConnection.ts'

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>

/** A socket's part in witnessing the log. */
export type WitnessSession = {
  witness(message: Message<'witness'>): Promise<void>
  cosign(message: Message<'cosignature'>): Promise<void>
}

/**
 * Creates a socket's witness session. A socket may register one witness.
 *
 * @param witnesses null if the service keeps no log.
 */
export function createWitnessSession(
  connection: BackerConnection,
  { backer, witnesses }: { backer: Address; witnesses: Witnesses | null },
): WitnessSession {
  let key: string | null = null
  let place: WitnessPlace | null = null

  const refuse = ({ id }: { id?: string }, code: Code, message: string) =>
    connection.send({ type: 'error', ...(id !== undefined && { id }), code, message })

  return {
    async witness(message) {
      if (!witnesses) return refuse(message, 'NOT_FOUND', 'This service keeps no log.')
      const parsed = parseWitnessKey(message.key)
      if (typeof parsed === 'string') return refuse(message, 'INVALID_REQUEST', parsed)
      const text = formatKey(parsed)
      if (key !== null && key !== text)
        return refuse(message, 'INVALID_REQUEST', 'This connection has registered another witness.')
      if (place) return place.resync(message.size)
      // An earlier message is still joining.
      if (key !== null) return
      key = text
      const joined = await witnesses.join(
        {
          key: parsed,
          maker: backer,
          send: ({ note, from, path }) =>
            connection.send({
              type: 'checkpoint',
              note,
              from,
              path: path.map((hash) => Buffer.from(hash).toString('base64')),
            }),
        },
        message.size,
      )
      if ('code' in joined) {
        key = null
        return refuse(message, joined.code, joined.message)
      }
      place = joined
      connection.onClosed(joined.leave)
    },
    async cosign(message) {
      const refused = place ? await place.cosign(message.size, message.signature) : 'This connection has no witness.'
      if (refused !== null) refuse(message, 'INVALID_REQUEST', refused)
    },
  }
}
