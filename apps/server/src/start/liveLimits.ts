import type { ServiceConfig } from '@firmquote/core'
import type { LiveLimit, LiveLimits } from '../app/control/liveLimits.ts'
import type { ServiceLimits } from '../app/serviceDeps.ts'
import { proofsPerRfq } from '../domain/quotas.ts'
import type { Configuration } from './configuration.ts'
import { type LiveSettingName, liveSettings, settings } from './settings.ts'

/** The objects whose limits change while the server runs. All parts of the server read them at each use. */
export type LimitTargets = { published: ServiceConfig['limits']; service: ServiceLimits }

/** The limits that each setting determines. */
const fields: { [Name in LiveSettingName]: (value: number) => Partial<ServiceLimits> } = {
  RFQS_PER_MINUTE: (value) => ({ rfqsPerMinute: value, takerProofsPerMinute: value * proofsPerRfq }),
  OPEN_RFQS: (value) => ({ openRfqs: value }),
  OPEN_AUCTIONS: (value) => ({ openAuctions: value }),
  RUNNING_JUDGEMENTS: (value) => ({ runningJudgements: value }),
  STORED_QUOTES_PER_MAKER: (value) => ({ storedQuotesPerMaker: value }),
}

/** The limits that an operator can change at run time. Without an override, a limit is its setting's. */
export function createLiveLimits(configuration: Configuration, { published, service }: LimitTargets): LiveLimits {
  let overrides: ReadonlyMap<string, number> = new Map()
  return {
    list: () =>
      liveSettings.map((name): LiveLimit => {
        const setting = configuration[name]
        const override = overrides.get(name)
        const source = setting === settings[name].fallback ? 'default' : 'environment'
        return { name, value: override ?? setting, source: override === undefined ? source : 'store', setting }
      }),
    check: (name, value) => {
      const live = liveSettings.find((known) => known === name)
      if (live === undefined) return `one of ${liveSettings.join(', ')}; other settings need a restart`
      const result = settings[live].shape.safeParse(String(value))
      return result.success ? null : (result.error.issues[0]?.message ?? 'valid')
    },
    apply(given) {
      overrides = given
      for (const name of liveSettings) {
        const changed = fields[name](given.get(name) ?? configuration[name])
        for (const target of [published, service] as Record<string, unknown>[]) {
          for (const [field, value] of Object.entries(changed)) if (field in target) target[field] = value
        }
      }
    },
  }
}
