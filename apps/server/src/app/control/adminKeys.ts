import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Controls, encodeControl, type IntegratorKey } from '../../domain/controls/controls.ts'
import { parseDuration } from '../../domain/controls/parseDuration.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AdminRefusedError } from './adminError.ts'
import { adminMethod, who, why } from './adminMethod.ts'
import type { ControlPlane } from './controls.ts'

/** The dependencies of {@link createKeysMethods}. */
export type AdminKeysDeps = Pick<ServiceDeps, 'clock' | 'random' | 'integrators'> & {
  controls: Pick<ControlPlane, 'current' | 'change'>
}

const keyBytes = 32
/** Distinguishes a key from other secrets, so that scanners of leaked secrets can find it. */
const keyPrefix = 'firmquote_'
/** The start of a hash that identifies a key in lists and commands. */
const idLength = 12
const most = 10_000
/** Maximum number of stored keys, including revoked ones. */
const maxKeys = 10_000

const name = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, ".", "_" and "-"'))
const count = z.number().check(z.int(), z.minimum(1), z.maximum(most))
const duration = z.string().check(z.refine((text) => parseDuration(text) !== null, 'must look like 30m, 24h or 7d'))
const issueShape = z.strictObject({
  ...{ name, perMinute: count, open: count, who, why: z.optional(why) },
  expires: z.optional(duration),
})
const revokeShape = z.strictObject({ key: z.string().check(z.minLength(1), z.maxLength(64)), who, why })

/** A key as listed. The settings' keys have no name. */
export type ListedKey = {
  id: string
  name: string | null
  source: 'store' | 'environment'
  state: 'active' | 'expired' | 'revoked'
  perMinute: number
  open: number
  /** Unix milliseconds; null if unknown, or if the key does not expire. */
  since: number | null
  until: number | null
}

/** A new key. `until` is in Unix milliseconds; null if the key does not expire. */
export type IssuedKey = { key: string; id: string; name: string; perMinute: number; open: number; until: number | null }

/**
 * Creates the commands about integrators' API keys. `keys.issue` returns the key, which cannot be read again: the store
 * has only its hash. A key is revoked by its name, or by the id that `keys.list` shows.
 */
export function createKeysMethods({ clock, random, integrators = new Map(), controls }: AdminKeysDeps) {
  const stateOf = ({ until, revokedAt }: IntegratorKey): ListedKey['state'] =>
    revokedAt !== null ? 'revoked' : until !== null && clock.now() >= until ? 'expired' : 'active'

  const listKeys = (known: Controls): (ListedKey & { hash: string })[] => [
    ...known.keys.map((key) => ({
      ...{ hash: key.hash, id: key.hash.slice(0, idLength), name: key.name, source: 'store' as const },
      ...{ state: stateOf(key), perMinute: key.rfqsPerMinute, open: key.openRfqs, since: key.since, until: key.until },
    })),
    // A stored key with the same hash decides.
    ...[...integrators.values()]
      .filter(({ id }) => known.keyOf(id) === null)
      .map(({ id, limits }) => ({
        ...{
          hash: id,
          id: id.slice(0, idLength),
          name: null,
          source: 'environment' as const,
          state: 'active' as const,
        },
        ...{ perMinute: limits.rfqsPerMinute, open: limits.openRfqs, since: null, until: null },
      })),
  ]

  return {
    'keys.list': adminMethod(z.strictObject({}), async () => ({
      keys: listKeys(controls.current()).map(({ hash: _, ...key }) => key),
    })),

    'keys.issue': adminMethod(issueShape, async ({ name, perMinute, open, expires, who, why = null }) => {
      const key = keyPrefix + Buffer.from(random(keyBytes)).toString('base64url')
      const hash = createHash('sha256').update(key).digest('hex')
      const since = Math.floor(clock.now())
      const until = expires === undefined ? null : since + (parseDuration(expires) ?? 0)
      await controls.change((known) => {
        if (listKeys(known).some((other) => other.name === name && other.state === 'active')) {
          throw new AdminRefusedError(
            `There is already an active key named ${name}; revoke it, or choose another name.`,
          )
        }
        if (known.keys.length >= maxKeys) throw new AdminRefusedError(`There are already ${maxKeys} keys.`)
        const limits = { rfqsPerMinute: perMinute, openRfqs: open }
        const detail = JSON.stringify({ id: hash.slice(0, idLength), perMinute, open, until })
        return {
          put: [encodeControl({ kind: 'key', hash, name, ...limits, since, until, revokedAt: null })],
          entry: { who, command: 'keys issue', subject: name, why, detail },
        }
      })
      return { key, id: hash.slice(0, idLength), name, perMinute, open, until }
    }),

    'keys.revoke': adminMethod(revokeShape, async ({ key: given, who, why }) => {
      let revoked = ''
      await controls.change((known) => {
        const matching = listKeys(known).filter(
          ({ name, id, state }) => [name, id].includes(given) && state !== 'revoked',
        )
        const [found, other] = matching
        if (!found) throw new AdminRefusedError(`There is no key ${given} to revoke; "keys list" shows names and ids.`)
        if (other)
          throw new AdminRefusedError(`${given} names ${matching.length} keys; use an id that "keys list" shows.`)
        const { hash, name, perMinute, open, since, until } = found
        const revokedAt = Math.floor(clock.now())
        const limits = { rfqsPerMinute: perMinute, openRfqs: open }
        revoked = found.id
        return {
          put: [
            encodeControl({
              kind: 'key',
              hash,
              name: name ?? found.id,
              ...limits,
              since: since ?? revokedAt,
              until,
              revokedAt,
            }),
          ],
          entry: {
            who,
            command: 'keys revoke',
            subject: name ?? found.id,
            why,
            detail: JSON.stringify({ id: found.id }),
          },
        }
      })
      return { id: revoked }
    }),
  }
}
