import type { ListedPage } from '../../../app/service.ts'

/** Encodes a page of quotes as JSON. Replaces the rate in each stored text, and appends the current verdict. */
export function encodeQuotePage({ quotes, nextCursor }: ListedPage): string {
  // Concatenation copies each text only once, at the end, whereas `join` copies most texts twice.
  let page = ''
  for (const quote of quotes) page += (page === '' ? '' : ',') + encodeEntry(quote)
  return `{"quotes":[${page}],"nextCursor":${JSON.stringify(nextCursor)}}`
}

function encodeEntry({ text, judged }: ListedPage['quotes'][number]): string {
  if (!judged) return text
  const { status, rates, verdict } = judged
  const { executable, reason, overcommitted, unproven, judgedAt } = verdict
  // The stored text ends with its rate at the creation and its time.
  const oldRate = text.lastIndexOf(',"apr":')
  return (
    `${text.slice(0, oldRate)},"apr":${rates.apr}` +
    (rates.effectiveApy === undefined ? '' : `,"effectiveApy":${rates.effectiveApy}`) +
    `${text.slice(text.indexOf(',"createdAt":', oldRate), -1)},"status":"${status}"` +
    (executable === undefined ? '' : `,"executable":${executable}`) +
    (reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`) +
    (overcommitted === undefined ? '' : `,"overcommitted":${overcommitted}`) +
    (unproven === undefined ? '' : `,"unproven":${unproven}`) +
    (judgedAt === undefined ? '}' : `,"judgedAt":{"number":"${judgedAt.number}","hash":"${judgedAt.hash}"}}`)
  )
}
