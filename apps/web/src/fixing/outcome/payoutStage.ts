import { type FixedPosition, observationWindow } from '@firmquote/sdk'

/**
 * How far an open position's payout is determined:
 * - `running` until a day before maturity;
 * - `observable` from then on, when a reading of the index makes the payout more exact;
 * - `due` after maturity: the payout depends on when the checkpoint is created;
 * - `final` after the checkpoint.
 */
export type PayoutStage = 'running' | 'observable' | 'due' | 'final'

/** Returns a position's stage, or null if it is settled. `now` is the chain's time in Unix seconds. Pure. */
export function payoutStage(
  { settlement, settleable, checkpointed, expiry }: FixedPosition,
  now: number,
): PayoutStage | null {
  if (settlement) return null
  if (settleable) return checkpointed ? 'final' : 'due'
  // Between maturity and the service's next block, an observation would be a checkpoint.
  return now >= expiry - observationWindow && now < expiry ? 'observable' : 'running'
}
