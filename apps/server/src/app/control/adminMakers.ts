import { address } from '@firmquote/core/wire'
import { type Address, getAddress } from 'viem'
import * as z from 'zod/mini'
import { type Ban, type Control, type Controls, encodeControl, keyOf } from '../../domain/controls/controls.ts'
import { parseDuration } from '../../domain/controls/parseDuration.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { SuspendedMakers } from '../quotes/suspendedMakers.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AdminRefusedError } from './adminError.ts'
import { adminMethod, who, why } from './adminMethod.ts'
import type { ControlPlane } from './controls.ts'

/** The dependencies of {@link createMakersMethods}. */
export type AdminMakersDeps = Pick<ServiceDeps, 'store' | 'clock' | 'presence' | 'allowList'> & {
  controls: Pick<ControlPlane, 'current' | 'change'>
  suspendedMakers: Pick<SuspendedMakers, 'secondsLeft'>
}

const makerShape = z.strictObject({ maker: address })
const changeShape = z.strictObject({ maker: address, who, why: z.optional(why) })
const duration = z.string().check(z.refine((text) => parseDuration(text) !== null, 'must look like 30m, 24h or 7d'))
const banShape = z.strictObject({ maker: address, who, why, for: z.optional(duration) })
/** How many of a maker's newest fills are shown. */
const fillsShown = 5

/**
 * Creates the commands about makers. `makers.ban` without `for` has no end. A ban replaces an earlier one of the same
 * maker.
 */
export function createMakersMethods(deps: AdminMakersDeps) {
  const { store, clock, presence, allowList, controls, suspendedMakers } = deps

  const summaryOf = (maker: Address, sockets: number) => {
    const ban = controls.current().banOf(maker, clock.now())
    return { maker, sockets, ban: ban && factsOf(ban), isAllowed: isAllowed(maker) }
  }
  const isAllowed = (maker: Address) =>
    allowList === undefined || allowList.has(maker.toLowerCase()) || controls.current().allows(maker)

  /** Puts or removes one control of a maker. */
  const change = async (
    command: string,
    given: { maker: Address; who: string; why?: string | undefined },
    decide: (known: Controls) => { put?: Control; remove?: 'ban' | 'allow'; detail?: object },
  ) => {
    const { maker } = given
    await controls.change((known) => {
      const { put, remove, detail = {} } = decide(known)
      return {
        ...(put && { put: [encodeControl(put)] }),
        ...(remove && { remove: [keyOf(remove, maker)] }),
        entry: { who: given.who, command, subject: maker, why: given.why ?? null, detail: JSON.stringify(detail) },
      }
    })
    return summaryOf(maker, await socketsOf(maker))
  }

  const socketsOf = async (maker: Address) =>
    (await presence.listSockets()).find(({ backer }) => getAddress(backer) === maker)?.sockets ?? 0

  return {
    'makers.list': adminMethod(z.strictObject({}), async () => {
      const known = controls.current()
      const sockets = new Map(
        (await presence.listSockets()).map(({ backer, sockets }) => [getAddress(backer), sockets]),
      )
      const others = [...known.bans(clock.now()), ...known.allowances].map(({ maker }) => maker)
      const makers = [...new Set([...sockets.keys(), ...others])].sort()
      return { makers: makers.map((maker) => summaryOf(maker, sockets.get(maker) ?? 0)) }
    }),

    'makers.show': adminMethod(makerShape, async ({ maker }) => {
      const now = chainNow(clock)
      const [sockets, publishedQuotes, { quotes }] = await Promise.all([
        socketsOf(maker),
        store.countQuotes(maker, now),
        store.listMakerQuotes(maker, { status: 'filled', limit: fillsShown }, now),
      ])
      return {
        ...summaryOf(maker, sockets),
        publishedQuotes,
        newestFills: quotes.map(({ hash, quote: { poolId, seriesKey, notional }, createdAt }) => ({
          ...{ hash, poolId, seriesKey, notional: notional.toString(), createdAt },
        })),
        // Each instance suspends contracts by its own experience.
        suspendedSecondsHere: suspendedMakers.secondsLeft(maker),
      }
    }),

    'makers.ban': adminMethod(banShape, async ({ for: text, ...given }) =>
      change('makers ban', given, (known) => {
        const since = Math.floor(clock.now())
        const milliseconds = text === undefined ? null : parseDuration(text)
        const until = milliseconds === null ? null : since + milliseconds
        const earlier = known.banOf(given.maker, since)
        const detail = { until, ...(earlier && { replaced: factsOf(earlier) }) }
        return { put: { kind: 'ban', maker: given.maker, since, until, why: given.why }, detail }
      }),
    ),

    'makers.unban': adminMethod(changeShape, async (given) =>
      change('makers unban', given, (known) => {
        const ban = known.banOf(given.maker, clock.now())
        if (!ban) throw new AdminRefusedError(`The maker ${given.maker} is not banned.`)
        return { remove: 'ban', detail: { ended: factsOf(ban) } }
      }),
    ),

    'makers.allow': adminMethod(changeShape, async (given) =>
      change('makers allow', given, (known) => {
        if (allowList === undefined) {
          throw new AdminRefusedError('Every maker may connect, because BACKER_ALLOW_LIST is not set.')
        }
        if (allowList.has(given.maker.toLowerCase())) {
          throw new AdminRefusedError(`BACKER_ALLOW_LIST already lists the maker ${given.maker}.`)
        }
        if (known.allows(given.maker)) throw new AdminRefusedError(`The maker ${given.maker} is already allowed.`)
        return { put: { kind: 'allow', maker: given.maker, since: Math.floor(clock.now()) } }
      }),
    ),

    'makers.disallow': adminMethod(changeShape, async (given) =>
      change('makers disallow', given, (known) => {
        if (known.allows(given.maker)) return { remove: 'allow' }
        const listed = allowList?.has(given.maker.toLowerCase())
        throw new AdminRefusedError(
          listed
            ? `The setting BACKER_ALLOW_LIST lists the maker ${given.maker}; remove it there, or ban the maker.`
            : `The maker ${given.maker} was not allowed by a command.`,
        )
      }),
    ),
  }
}

function factsOf({ since, until, why }: Ban) {
  return { since, until, why }
}
