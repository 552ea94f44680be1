import { type Pool, useServerNow } from '@firmquote/react'
import type { AccountPositions, RFQRequest } from '@firmquote/sdk'
import { useMemo, useState } from 'react'
import type { Address } from 'viem'
import { readAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import type { AuctionDraft } from '../../routes.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { type ChosenTerms, chooseMarket, fillForm, openForm, wantedIn } from './fillForm.ts'
import { type FixPrices, fixPrices } from './fixPrices.ts'
import {
  type AuctionFormText,
  type AuctionMistakes,
  type ParsedAuctionForm,
  parseAuctionForm,
  requestOf,
} from './parseAuctionForm.ts'

const settleMs = 300

/** The state of a {@link FixCard}. */
export type FixForm = {
  text: AuctionFormText
  /** Whether the visitor or the address has set the amount. */
  isSized: boolean
  parsed: ParsedAuctionForm
  /** The amount that is priced, in raw units, updated after a pause in typing. Null if invalid. */
  size: bigint | null
  prices: FixPrices | null
  /** The maximum rate that applies, as effective APY in percent. */
  maxApy: number | null
  /** Null unless all fields are valid. */
  request: RFQRequest | null
  /** A field's error message, once it is to be shown. */
  mistake(field: keyof AuctionMistakes): string | undefined
  change(part: ChosenTerms): void
  changeMarket(poolId: string): void
  /** Shows the errors of a field, or of all fields. */
  tell(field?: keyof AuctionMistakes): void
}

/**
 * The form for an amount, a term and a maximum rate, filled in from an address or an account's debt.
 *
 * @param given.now When the prices were read, in Unix seconds.
 */
export function useFixForm(given: {
  pools: readonly Pool[]
  offers: KnownOffers
  now: number
  draft: AuctionDraft
  account: AccountPositions | undefined
  taker: Address | undefined
}): FixForm {
  const { pools, offers, now: asOf, draft, account, taker } = given
  const words = useWords()
  const now = Math.floor(useServerNow({ intervalMs: 10_000 }) / 1000)
  const [chosen, setChosen] = useState(() => openForm(draft, { pools, words }))
  // A field's error appears only after blur, a pause or a submit.
  const [shown, setShown] = useState<ReadonlySet<keyof AuctionMistakes>>(new Set())
  const text = fillForm(chosen, { pools, account, now, words })
  const parsed = parseAuctionForm(text, { pools, now, words })
  const { pool, series, notional, capApy, mistakes } = parsed
  const settled = useSettled(chosen.amount, settleMs)

  const wanted = pool && wantedIn(pool, account, asOf)
  const size = pool && wanted !== null ? sizeOf(settled, wanted, pool) : null
  const priced = size ?? wanted
  const prices = useMemo(
    () =>
      pool && priced !== null && priced > 0n
        ? fixPrices(pool, offers.bySeries, { wanted: priced, seriesKey: text.seriesKey, now: asOf })
        : null,
    [pool, priced, offers.bySeries, text.seriesKey, asOf],
  )
  // Anyone can write an address, so its limit only lowers the maximum, and only for its own terms.
  const isDrafted =
    pool?.poolId === draft.poolId && series?.seriesKey === draft.seriesKey && notional === draft.notional
  const limit = isDrafted && capApy === null ? draft.limit : undefined
  const usual = capApy ?? prices?.maxApy ?? null
  const linked = limit !== undefined && notional && series ? apyOf(limit, notional, series.expiry) : null
  return {
    text,
    isSized: chosen.amount !== undefined,
    parsed,
    size,
    prices,
    maxApy: usual !== null && linked !== null ? Math.min(usual, linked) : usual,
    request: usual === null ? null : requestOf(parsed, { maxApy: usual, limit, taker, now }),
    mistake: (field) => {
      const hasPaused = field === 'amount' && text.amount.trim() !== '' && settled === chosen.amount
      return shown.has(field) || hasPaused ? mistakes[field] : undefined
    },
    // Any change pins the current market, because the entered values are meant for it.
    change: (part) => setChosen((before) => ({ ...before, poolId: text.poolId, ...part })),
    changeMarket: (poolId) => setChosen(chooseMarket(chosen, poolId, { pools, expiry: series?.expiry })),
    tell: (field) =>
      setShown((before) => (field ? new Set(before).add(field) : new Set(['pool', 'series', 'amount', 'cap']))),
  }

  function sizeOf(typed: string | undefined, proposed: bigint, { loanToken }: Pool): bigint | null {
    const read = typed === undefined ? { amount: proposed } : readAmount(typed, loanToken, words)
    return 'amount' in read && read.amount > 0n ? read.amount : null
  }

  function apyOf(cost: bigint, of: bigint, expiry: number): number {
    return effectiveApyOf({ notional: of, vrtAmount: cost }, expiry, now)
  }
}
