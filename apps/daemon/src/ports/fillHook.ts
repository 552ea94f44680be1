import type { FillNotice } from '../domain/fill.ts'

/**
 * The maker's fill hook. Resolves when the hook has succeeded. The signal aborts it.
 *
 * Throws `HookError` if the hook fails. The notice is then sent again.
 */
export type FillHook = (notice: FillNotice, signal: AbortSignal) => Promise<void>
