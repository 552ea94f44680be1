import type { ListedPage } from '../../../app/service.ts'

/** Encodes a page of quotes as JSON. Appends each quote's current verdict to its stored text. */
export function encodeQuotePage({ quotes, nextCursor }: ListedPage): string {
  // Concatenation copies each text only once, at the end, whereas `join` copies most texts twice.
  let page = ''
  for (const quote of quotes) page += (page === '' ? '' : ',') + encodeEntry(quote)
  return `{"quotes":[${page}],"nextCursor":${JSON.stringify(nextCursor)}}`
}

function encodeEntry({ text, judged }: ListedPage['quotes'][number]): string {
  if (!judged) return text
  const { status, verdict } = judged
  const { executable, reason, overcommitted, unproven, judgedAt } = verdict
  return (
    `${text.slice(0, -1)},"status":"${status}"` +
    (executable === undefined ? '' : `,"executable":${executable}`) +
    (reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`) +
    (overcommitted === undefined ? '' : `,"overcommitted":${overcommitted}`) +
    (unproven === undefined ? '' : `,"unproven":${unproven}`) +
    (judgedAt === undefined ? '}' : `,"judgedAt":{"number":"${judgedAt.number}","hash":"${judgedAt.hash}"}}`)
  )
}
