import type { Generated } from 'kysely'
import type { Tables } from '../sqlStore/schema.ts'

/** What several instances share beside what every store keeps. */
export type SharedTables = Tables & {
  /** One row. Whatever writes `quote_statuses` or moves the cursor locks it first, so that its ids are in the order of the commits. */
  sync_lock: { id: Generated<number> }
  /** Who does what one instance is enough for; `epoch` grows whenever that is another one. */
  leases: { name: string; holder: string; epoch: number; until: Date }
}
