import type { Address } from 'viem'
import type { Alert } from '../domain/alerts.ts'

/** What a hook is told of an alert that has begun. */
export type AlertNotice = Alert & { event: 'alert'; maker: Address }

/** The maker's own program that is told of alerts. Throws `HookError` when it has not done its work. */
export type AlertHook = (notice: AlertNotice, signal: AbortSignal) => Promise<void>
