import { createAuctionMethods } from './adminAuctions.ts'
import { type AdminAuditDeps, createAuditMethods } from './adminAudit.ts'
import { type AdminHaltsDeps, createHaltMethods } from './adminHalts.ts'
import { type AdminKeysDeps, createKeysMethods } from './adminKeys.ts'
import { type AdminLimitsDeps, createLimitsMethods } from './adminLimits.ts'
import { type AdminMakersDeps, createMakersMethods } from './adminMakers.ts'

/**
 * The operator's commands by name. Parameters and results are plain JSON; times are Unix milliseconds. A method throws:
 *
 * - {@link InvalidInputError} if the parameters are malformed. `path` names the first wrong one.
 * - {@link AdminRefusedError} if the command cannot be carried out.
 * - {@link StorageUnavailableError} if the database does not respond. As {@link OutcomeUnknownError}, the change may be
 *   stored.
 */
export type AdminMethods = Readonly<Record<string, (params: unknown) => Promise<unknown>>>

/** Creates the commands. */
export function createAdminMethods(
  deps: AdminMakersDeps & AdminHaltsDeps & AdminKeysDeps & AdminLimitsDeps & AdminAuditDeps,
): AdminMethods {
  return {
    ...createMakersMethods(deps),
    ...createHaltMethods(deps),
    ...createKeysMethods(deps),
    ...createLimitsMethods(deps),
    ...createAuctionMethods(deps),
    ...createAuditMethods(deps),
  }
}
