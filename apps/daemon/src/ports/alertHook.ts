import type { Address } from 'viem'
import type { Alert } from '../domain/alerts.ts'

/** Payload of the alert hook when an alert begins. */
export type AlertNotice = Alert & { event: 'alert'; maker: Address }

/** Hook of the maker for alerts. Throws `HookError` if it fails. */
export type AlertHook = (notice: AlertNotice, signal: AbortSignal) => Promise<void>
