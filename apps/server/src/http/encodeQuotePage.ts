import type { ListedPage } from '../app/service.ts'

/** A page of quotes as JSON text: what is said of each quote now is added to the stored text of its record. */
export function encodeQuotePage({ quotes, nextCursor }: ListedPage): string {
  return `{"quotes":[${quotes.map(encodeEntry).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`
}

function encodeEntry({ text, status, verdict }: ListedPage['quotes'][number]): string {
  const { executable, reason, overcommitted, judgedAt } = verdict
  return (
    `${text.slice(0, -1)},"status":"${status}"` +
    (executable === undefined ? '' : `,"executable":${executable}`) +
    (reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`) +
    (overcommitted === undefined ? '' : `,"overcommitted":${overcommitted}`) +
    (judgedAt === undefined ? '}' : `,"judgedAt":{"number":"${judgedAt.number}","hash":"${judgedAt.hash}"}}`)
  )
}
