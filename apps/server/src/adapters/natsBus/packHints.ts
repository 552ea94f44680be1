/** Messages packed into texts. `tooLong` lists the subjects of messages that exceed the limit on their own. */
export type PackedHints = { texts: { text: string; count: number }[]; tooLong: string[] }

/** A message between instances. */
export type Hint = { subject: string; payload: string }

/** Packs messages, in order, into texts of at most `maxBytes` bytes. */
export function packHints(hints: readonly Hint[], maxBytes: number): PackedHints {
  const packed: PackedHints = { texts: [], tooLong: [] }
  let entries: string[] = []
  let bytes = 0
  const end = () => {
    if (entries.length > 0) packed.texts.push({ text: `[${entries.join(',')}]`, count: entries.length })
    entries = []
    bytes = 0
  }
  for (const { subject, payload } of hints) {
    const entry = JSON.stringify([subject, payload])
    // An opening bracket or a comma precedes each entry. The closing bracket is added below.
    const size = Buffer.byteLength(entry) + 1
    if (size + 1 > maxBytes) {
      packed.tooLong.push(subject)
      continue
    }
    if (bytes + size + 1 > maxBytes) end()
    entries.push(entry)
    bytes += size
  }
  end()
  return packed
}

/** Unpacks the messages in a text. Returns null if the text was not produced by {@link packHints}. */
export function unpackHints(text: string): Hint[] | null {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(entries)) return null
  const hints: Hint[] = []
  for (const entry of entries) {
    if (!Array.isArray(entry)) return null
    const [subject, payload] = entry
    if (typeof subject !== 'string' || typeof payload !== 'string') return null
    hints.push({ subject, payload })
  }
  return hints
}
