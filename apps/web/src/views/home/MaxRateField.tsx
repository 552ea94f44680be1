import { useWords } from '../../copy/words.ts'
import { costAtApy } from '../../service/priceLimit.ts'
import { AmountInput } from '../../ui/AmountInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { FixForm } from './useFixForm.ts'

/** The field for the borrower's maximum rate. If it is empty, its hint shows the default. */
export function MaxRateField({ form }: { form: FixForm }) {
  const { parsed, prices, maxApy, text } = form
  const { pool, series, notional, capApy } = parsed
  const { texts, formats } = useWords()
  const { form: words } = texts.home
  const now = prices?.now
  const hint = () => {
    if (maxApy === null || !pool || !series || notional === null || now === undefined) return undefined
    const cost = costAtApy(maxApy, { notional, from: now, expiry: series.expiry })
    const most = formats.withSymbol(formats.cost(cost, pool.loanToken), pool.loanToken)
    return capApy === null ? words.maxRateDefault(formats.rate(maxApy), most) : words.maxRateCost(most)
  }
  const best = prices?.bestApy
  return (
    <>
      <Field
        label={words.maxRate}
        hint={hint()}
        error={form.mistake('cap')}
        corrections={parsed.corrections.cap}
        onCorrect={(cap) => form.change({ cap })}
      >
        {(ids) => (
          <AmountInput
            ids={ids}
            symbol="%"
            value={text.cap}
            onChange={(cap) => form.change({ cap })}
            onLeave={() => form.tell('cap')}
          />
        )}
      </Field>
      {capApy !== null && best !== undefined && capApy < best && (
        <Notice tone="warning">
          <p>{words.maxRateLow(formats.rate(best))}</p>
        </Notice>
      )}
    </>
  )
}
