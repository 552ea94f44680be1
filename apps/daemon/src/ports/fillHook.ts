import type { FillNotice } from '../domain/fill.ts'

/**
 * Hook of the maker for fills. Resolves when the hook has succeeded. The signal aborts it.
 *
 * Throws `HookError` if it fails; the notice is then sent again.
 */
export type FillHook = (notice: FillNotice, signal: AbortSignal) => Promise<void>
