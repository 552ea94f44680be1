import * as z from 'zod/mini'
import { type Controls, encodeControl, keyOf } from '../../domain/controls/controls.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AdminRefusedError } from './adminError.ts'
import { adminMethod, who, why } from './adminMethod.ts'
import type { ControlPlane } from './controls.ts'
import type { LiveLimits } from './liveLimits.ts'

/** The dependencies of {@link createLimitsMethods}. */
export type AdminLimitsDeps = Pick<ServiceDeps, 'clock'> & {
  liveLimits: LiveLimits
  controls: Pick<ControlPlane, 'current' | 'change'>
}

const name = z.string().check(z.minLength(1), z.maxLength(64))
const setShape = z.strictObject({ name, value: z.number(), who, why: z.optional(why) })
const resetShape = z.strictObject({ name, who, why: z.optional(why) })

/** Creates the commands about limits. A limit that is set overrides its setting until it is reset. */
export function createLimitsMethods({ clock, liveLimits, controls }: AdminLimitsDeps) {
  const limitOf = (known: Controls, name: string, value?: number) => {
    const limit = liveLimits.list().find((one) => one.name === name)
    const expected = liveLimits.check(name, value ?? limit?.setting ?? 0)
    if (expected !== null || !limit) {
      throw new AdminRefusedError(limit ? `${name} must be ${expected}.` : `The limit must be ${expected}.`)
    }
    return { limit, override: known.limits.get(name) }
  }
  const shown = () => ({ limits: liveLimits.list() })

  return {
    'limits.show': adminMethod(z.strictObject({}), async () => shown()),

    'limits.set': adminMethod(setShape, async ({ name, value, who, why = null }) => {
      await controls.change((known) => {
        const { limit, override } = limitOf(known, name, value)
        const since = Math.floor(clock.now())
        const detail = JSON.stringify({ value, replaced: override?.value ?? limit.setting })
        return {
          put: [encodeControl({ kind: 'limit', name, value, since })],
          entry: { who, command: 'limits set', subject: name, why, detail },
        }
      })
      return shown()
    }),

    'limits.reset': adminMethod(resetShape, async ({ name, who, why = null }) => {
      await controls.change((known) => {
        const { limit, override } = limitOf(known, name)
        if (!override) throw new AdminRefusedError(`${name} has no override; the setting applies.`)
        const detail = JSON.stringify({ value: limit.setting, replaced: override.value })
        return {
          remove: [keyOf('limit', name)],
          entry: { who, command: 'limits reset', subject: name, why, detail },
        }
      })
      return shown()
    }),
  }
}
