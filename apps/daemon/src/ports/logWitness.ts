import type { WitnessLink, WitnessMessage } from '@firmquote/sdk/proofs'
import type { Alert } from '../domain/alerts.ts'
import type { LogSettings } from './service.ts'

/** How a witness reaches a service. */
export type WitnessedService = {
  /** The service's current log, or null if it keeps none. */
  readLogSettings(): Promise<LogSettings | null>
  /** The URL of a log of the service. */
  urlOf(settings: LogSettings): string
  send(message: WitnessMessage): unknown
}

/** This maker's witness of the service's log. */
export type LogWitness = {
  /** The witness's public key, as policies name it. */
  key: string
  /** Connects the witness to a service. */
  connect(service: WitnessedService): WitnessLink
  /** The witness's alerts about logs since the start. */
  alerts(): readonly Alert[]
  /** Number of signatures since the start. */
  cosignatures(): number
  /** Releases the key and the state, after the link has stopped. */
  close(): void
}
