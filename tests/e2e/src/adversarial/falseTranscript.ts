import { closeLeaf, decodeRecord, encodeRecord, fromBase64, type Opening, quoteLeaf, toBase64 } from '@firmquote/verify'

/** A lie about a maker's quote, or about the result. */
export type TranscriptLie = 'drop' | 'reorder' | 'alter' | 'ranking' | 'best'

/** Changes an auction's transcript, which has the quotes of `maker` and of a rival. */
export function lieAbout(leaves: readonly Opening[], lie: TranscriptLie, maker: string): Opening[] {
  const records = leaves.map(({ record }) => fromBase64(record, 'A leaf'))
  const own = records.findIndex((record) => {
    if (record[0] !== quoteLeaf.kind) return false
    return decodeRecord(quoteLeaf.kind, quoteLeaf.layout, record).maker === maker.toLowerCase()
  })
  const last = leaves.length - 1
  if (own < 0 || last !== 3) throw new TypeError(`The auction has ${last - 1} quotes, not those of both makers.`)
  const change = (index: number, record: Uint8Array) =>
    leaves.with(index, { salt: leaves[index]?.salt ?? '', record: toBase64(record) })
  const close = decodeRecord(closeLeaf.kind, closeLeaf.layout, records[last] as Uint8Array)
  const closeWith = (changed: Partial<typeof close>) =>
    change(last, encodeRecord(closeLeaf.kind, closeLeaf.layout, { ...close, ...changed }))
  switch (lie) {
    case 'drop':
      return leaves.toSpliced(own, 1)
    case 'reorder':
      return [leaves[0], leaves[2], leaves[1], leaves[3]] as Opening[]
    case 'alter': {
      const quote = decodeRecord(quoteLeaf.kind, quoteLeaf.layout, records[own] as Uint8Array)
      return change(own, encodeRecord(quoteLeaf.kind, quoteLeaf.layout, { ...quote, hash: `0x${'3d'.repeat(32)}` }))
    }
    case 'ranking':
      return closeWith({ ranking: close.ranking.toReversed() })
    case 'best':
      return closeWith({ best: close.ranking.filter((seq) => !close.best.includes(seq)) })
  }
}
