import type { Address } from 'viem'
import type { Alert } from '../domain/alerts.ts'

/** Payload sent to the alert hook when an alert begins. */
export type AlertNotice = Alert & { event: 'alert'; maker: Address }

/** The maker's alert hook. Throws `HookError` if it fails. */
export type AlertHook = (notice: AlertNotice, signal: AbortSignal) => Promise<void>
