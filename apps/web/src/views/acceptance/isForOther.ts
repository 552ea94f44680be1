import type { Executability } from '@firmquote/sdk'

/** Whether all that speaks against an offer is that it was made for another account than the connected one. Pure. */
export function isForOther({ checks }: Executability): boolean {
  const [deadline, nonceAndStatus, makerFunds, terms, { rejection }] = checks
  return (
    [deadline, nonceAndStatus, makerFunds, terms].every(({ ok }) => ok) &&
    rejection?.code === 'TERMS_MISMATCH' &&
    rejection.field === 'taker'
  )
}
