import { spellAmount } from '../../../copy/readAmount.ts'
import { useWords, type Words } from '../../../copy/words.ts'
import { defaultMaxApy, defaultPointsAbove } from '../../../service/priceLimit.ts'
import { AmountInput } from '../../../ui/AmountInput.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './AuctionForm.module.css'
import type { ParsedAuctionForm } from './parseAuctionForm.ts'

/** A collapsed field for the visitor's maximum price. The field's title shows the current limit. */
export function LimitField(props: {
  parsed: ParsedAuctionForm
  text: string
  error: string | undefined
  /** The best known rate as effective APY in percent. */
  bestApy: number | undefined
  onChange: (text: string) => void
  onLeave: () => void
}) {
  const { parsed, text, error, bestApy, onChange, onLeave } = props
  const words = useWords()
  const { form } = words.texts.auction
  const { pool, cap, capApy } = parsed
  return (
    <Disclosure title={form.limit} note={limitNote(parsed, words)} open={error !== undefined}>
      <div className={styles['group']}>
        <Field
          label={form.limitCost}
          error={error}
          corrections={parsed.corrections.cap}
          onCorrect={onChange}
          hint={limitHint(parsed, words)}
        >
          {(ids) => (
            <AmountInput ids={ids} symbol={pool?.loanToken.symbol} value={text} onChange={onChange} onLeave={onLeave} />
          )}
        </Field>
        {cap !== null && capApy !== null && bestApy !== undefined && capApy < bestApy && (
          <Notice tone="warning">
            <p>{form.limitLow(words.formats.rate(capApy))}</p>
          </Notice>
        )}
      </div>
    </Disclosure>
  )
}

/** Describes the current limit briefly. */
function limitNote({ pool, cap }: ParsedAuctionForm, { texts, formats }: Words): string | undefined {
  if (!pool) return undefined
  if (cap === null) return texts.auction.form.limitNote(formats.rate(defaultMaxApy(pool)))
  return formats.withSymbol(formats.amount(cap, pool.loanToken), pool.loanToken)
}

/** Describes how the limit was interpreted, or the default limit. */
function limitHint({ pool, cap, capApy }: ParsedAuctionForm, words: Words): string {
  const { formats } = words
  const { form } = words.texts.auction
  if (!pool) return form.limitHint
  if (cap === null) return form.limitDefault(formats.rate(defaultMaxApy(pool)), formats.count(defaultPointsAbove))
  const spelled = spellAmount(cap, pool.loanToken, words)
  return capApy === null ? form.limitUnderstood(spelled) : form.limitRate(spelled, formats.rate(capApy))
}
