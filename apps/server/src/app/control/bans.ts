import type { Rejection } from '@firmquote/core'
import type { Address } from 'viem'
import { banRejection } from '../../domain/controls/judgeAdmission.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { ControlPlane } from './controls.ts'

/** The bans now in force. */
export type Bans = {
  /** The banned makers. The same array while they are the same. */
  makers(): readonly Address[]
  /** Why a maker's quotes are refused; null if it is not banned. */
  rejection(maker: Address): Extract<Rejection, { code: 'MAKER_BANNED' }> | null
}

/** Creates {@link Bans}. */
export function createBans(controls: Pick<ControlPlane, 'current'>, clock: ServiceDeps['clock']): Bans {
  return {
    makers: () => controls.current().bannedMakers(clock.now()),
    rejection(maker) {
      const ban = controls.current().banOf(maker, clock.now())
      return ban && banRejection(ban)
    },
  }
}

/** Joins two lists that rarely change. Returns the same array for the same lists, so that a store may remember it. */
export function createJoinMakers(): (one: readonly Address[], two: readonly Address[]) => readonly Address[] {
  let last: { one: readonly Address[]; two: readonly Address[]; joined: readonly Address[] } | null = null
  return (one, two) => {
    if (two.length === 0) return one
    if (last?.one !== one || last.two !== two) last = { one, two, joined: [...one, ...two] }
    return last.joined
  }
}
