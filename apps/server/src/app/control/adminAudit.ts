import * as z from 'zod/mini'
import type { ServiceDeps } from '../serviceDeps.ts'
import { adminMethod } from './adminMethod.ts'

/** The dependencies of {@link createAuditMethods}. */
export type AdminAuditDeps = Pick<ServiceDeps, 'store'>

const pageShape = z.strictObject({
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1_000))),
  before: z.optional(z.number().check(z.int(), z.minimum(1))),
})
const defaultLimit = 50

/** Creates `audit`, which lists what operators changed, newest first. `before` is an entry's ID. */
export function createAuditMethods({ store }: AdminAuditDeps) {
  return {
    audit: adminMethod(pageShape, async ({ limit = defaultLimit, before = null }) => {
      const entries = await store.listAudit({ limit, before })
      const last = entries.at(-1)
      return {
        entries: entries.map(({ detail, ...entry }) => ({ ...entry, isVerified: false, detail: JSON.parse(detail) })),
        nextBefore: last && entries.length === limit ? last.id : null,
      }
    }),
  }
}
