import type { Executability } from '@firmquote/sdk'

/** Whether an offer's only problem is that it is for another account. Pure. */
export function isForOther({ checks }: Executability): boolean {
  const [deadline, nonceAndStatus, makerFunds, terms, { rejection }] = checks
  return (
    [deadline, nonceAndStatus, makerFunds, terms].every(({ ok }) => ok) &&
    rejection?.code === 'TERMS_MISMATCH' &&
    rejection.field === 'taker'
  )
}
