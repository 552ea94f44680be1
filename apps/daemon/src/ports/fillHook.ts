import type { FillNotice } from '../domain/fill.ts'

/**
 * The maker's own program that is told of fills. It resolves when the program has done its work; aborting ends it.
 *
 * Throws `HookError` when it has not: what it was told is told again.
 */
export type FillHook = (notice: FillNotice, signal: AbortSignal) => Promise<void>
