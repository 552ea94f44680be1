import { bytes32 } from '@firmquote/core/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { type Controls, encodeControl } from '../../domain/controls/controls.ts'
import { type Halt, type HaltTarget, haltSubject } from '../../domain/controls/halts.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AdminRefusedError } from './adminError.ts'
import { adminMethod, plainText, who, why } from './adminMethod.ts'
import type { ControlPlane } from './controls.ts'

/** A halt as operators see it. `message` is shown to borrowers, `why` is not. Each is null if there is none. */
export type AdminHalt = Pick<Halt, 'since' | 'message' | 'why'>

/** Result of `pools.list`: the halt of all RFQs, and the pools with their series, earliest expiry first. */
export type AdminPools = {
  rfqs: AdminHalt | null
  pools: {
    poolId: Hex
    halted: AdminHalt | null
    /** `expiry` is in Unix seconds. Expired series are left out. */
    series: { seriesKey: Hex; expiry: number; halted: AdminHalt | null }[]
  }[]
}

/** Result of a command that halts or resumes. */
export type AdminHalted = HaltTarget & { halted: AdminHalt | null }

/** For borrowers. */
const message = plainText(280)
const haltShape = { who, why, message: z.optional(message) }
const resumeShape = { who, why: z.optional(why) }
type Reasons = { who: string; why?: string | undefined; message?: string | undefined }

/** The dependencies of {@link createHaltMethods}. */
export type AdminHaltsDeps = Pick<ServiceDeps, 'store' | 'clock'> & {
  controls: Pick<ControlPlane, 'current' | 'change'>
}

/** Creates `pools.list`, and the commands that halt and resume pools, series and all RFQs. */
export function createHaltMethods({ store, clock, controls }: AdminHaltsDeps) {
  const halt = async (command: string, target: HaltTarget, { who, why, message }: Reasons): Promise<AdminHalted> => {
    await requireKnown(target)
    let halted: AdminHalt | null = null
    await controls.change((known) => {
      const earlier = find(known, target)
      halted = { since: earlier?.since ?? Math.floor(clock.now()), message: message ?? null, why: why ?? null }
      const detail = JSON.stringify({ message: halted.message, ...(earlier && { replaced: describe(earlier) }) })
      return {
        put: [encodeControl({ kind: 'halt', ...target, ...halted })],
        entry: { who, command, subject: haltSubject(target), why: why ?? message ?? null, detail },
      }
    })
    return { ...target, halted }
  }

  const resume = async (command: string, target: HaltTarget, { who, why }: Reasons): Promise<AdminHalted> => {
    await controls.change((known) => {
      const earlier = find(known, target)
      if (!earlier) throw new AdminRefusedError(`${nameOf(target)} not halted.`)
      return {
        remove: [{ kind: 'halt', subject: haltSubject(target) }],
        entry: {
          ...{ who, command, subject: haltSubject(target), why: why ?? null },
          detail: JSON.stringify({ ended: describe(earlier) }),
        },
      }
    })
    return { ...target, halted: null }
  }

  /** A misspelled ID would halt nothing. */
  const requireKnown = async (target: HaltTarget) => {
    if (target.scope === 'pool' && !(await store.listPools()).some(({ poolId }) => poolId === target.poolId)) {
      throw new AdminRefusedError(`There is no pool ${target.poolId}.`)
    }
    if (target.scope === 'series' && !(await store.listSeries()).some((one) => one.seriesKey === target.seriesKey)) {
      throw new AdminRefusedError(`There is no series ${target.seriesKey}.`)
    }
  }

  return {
    'pools.list': adminMethod(z.strictObject({}), async (): Promise<AdminPools> => {
      const [pools, series] = await Promise.all([store.listPools(), store.listSeries()])
      const known = controls.current()
      const halted = (target: HaltTarget) => describe(find(known, target))
      const now = Math.floor(clock.now() / 1_000)
      return {
        rfqs: halted({ scope: 'rfqs' }),
        pools: pools.map(({ poolId }) => ({
          poolId,
          halted: halted({ scope: 'pool', poolId }),
          series: series
            .filter((one) => one.poolId === poolId && one.expiry > now)
            .map(({ seriesKey, expiry }) => ({ seriesKey, expiry, halted: halted({ scope: 'series', seriesKey }) })),
        })),
      }
    }),
    'pools.halt': adminMethod(z.strictObject({ poolId: bytes32, ...haltShape }), ({ poolId, ...reasons }) =>
      halt('pools halt', { scope: 'pool', poolId }, reasons),
    ),
    'pools.resume': adminMethod(z.strictObject({ poolId: bytes32, ...resumeShape }), ({ poolId, ...reasons }) =>
      resume('pools resume', { scope: 'pool', poolId }, reasons),
    ),
    'series.halt': adminMethod(z.strictObject({ seriesKey: bytes32, ...haltShape }), ({ seriesKey, ...reasons }) =>
      halt('series halt', { scope: 'series', seriesKey }, reasons),
    ),
    'series.resume': adminMethod(z.strictObject({ seriesKey: bytes32, ...resumeShape }), ({ seriesKey, ...reasons }) =>
      resume('series resume', { scope: 'series', seriesKey }, reasons),
    ),
    'rfqs.halt': adminMethod(z.strictObject({ ...resumeShape, message }), (reasons) =>
      halt('rfqs halt', { scope: 'rfqs' }, reasons),
    ),
    'rfqs.resume': adminMethod(z.strictObject(resumeShape), (reasons) =>
      resume('rfqs resume', { scope: 'rfqs' }, reasons),
    ),
  }
}

function find({ halts }: Controls, target: HaltTarget): Halt | null {
  return halts.all.find((halt) => haltSubject(halt) === haltSubject(target)) ?? null
}

function describe(halt: Halt | null): AdminHalt | null {
  return halt && { since: halt.since, message: halt.message, why: halt.why }
}

function nameOf(target: HaltTarget): string {
  if (target.scope === 'rfqs') return 'New RFQs are'
  return target.scope === 'pool' ? `The pool ${target.poolId} is` : `The series ${target.seriesKey} is`
}
