import type { Bans } from '../src/app/control/bans.ts'
import { indexControls } from '../src/domain/controls/controls.ts'

/** The operator's decisions before the first one. */
export const noControls = indexControls({ version: 0, controls: [] })

/** The dependencies of use cases while nobody is banned. */
export const unbanned: { controls: { current(): typeof noControls }; bans: Bans } = {
  controls: { current: () => noControls },
  bans: { makers: () => [], rejection: () => null },
}
