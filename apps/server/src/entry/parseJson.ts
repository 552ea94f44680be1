const backslash = 0x5c

/**
 * Parses JSON in which no object repeats a key. `JSON.parse` keeps the last value of a repeated key, but other programs,
 * such as a proxy that inspects requests, keep the first.
 *
 * @throws {SyntaxError} if the text is not JSON or repeats a key.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (countKeys(value) !== countWrittenKeys(text)) throw new SyntaxError('an object repeats a key')
  return value
}

/** Counts the keys of a parsed value's objects. Not recursive, because a body may have thousands of nested arrays. */
function countKeys(value: unknown): number {
  let count = 0
  const pending = [value]
  while (pending.length > 0) {
    const item = pending.pop()
    if (typeof item !== 'object' || item === null) continue
    if (Array.isArray(item)) {
      for (const child of item) pending.push(child)
      continue
    }
    for (const key in item) {
      count += 1
      pending.push(item[key as keyof typeof item])
    }
  }
  return count
}

/** Counts the keys in valid JSON text: the strings that a colon follows. */
function countWrittenKeys(text: string): number {
  let count = 0
  let at = text.indexOf('"')
  while (at >= 0) {
    at = text.indexOf('"', at + 1)
    while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
    do at += 1
    while (text.charCodeAt(at) <= 0x20)
    if (text[at] === ':') count += 1
    at = text.indexOf('"', at)
  }
  return count
}

/** Returns whether an odd number of backslashes precedes a quotation mark. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === backslash) start -= 1
  return (at - start) % 2 === 1
}
