import type { Address } from 'viem'
import type { Alert } from '../domain/alerts.ts'

/** Payload sent to the alert hook when an alert begins. */
export type AlertNotice = Omit<Alert, 'code'> & {
  event: 'alert'
  maker: Address
  /** `PROMISE_BROKEN` is not an active alert: it is reported once for each quote. */
  code: Alert['code'] | 'PROMISE_BROKEN'
  /** Path of the file that proves a broken promise. */
  file?: string
}

/** The maker's alert hook. Throws `HookError` if it fails. */
export type AlertHook = (notice: AlertNotice, signal: AbortSignal) => Promise<void>
