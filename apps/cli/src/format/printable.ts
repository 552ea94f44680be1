// Characters that move the cursor, ring the bell, set colours or change the text direction: C0 and C1 controls, and bidi marks.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Makes untrusted text, such as a token's symbol or a server's message, safe to print on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(unprintable, '\ufffd')
}
