// Everything that moves a cursor, rings, colours, or turns the direction of writing: C0 and C1 controls, and bidi marks.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Untrusted text (a token's symbol, a server's message) made safe to show on a terminal, on one line. */
export function printable(text: string): string {
  return text.replace(unprintable, '\ufffd')
}
