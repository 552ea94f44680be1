// Characters that move the cursor, ring the bell, or change colours or text direction: C0, C1 and bidi controls.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Makes untrusted text, such as a token's symbol or a server's message, safe to print on one terminal line. */
export function printable(text: string): string {
  return text.replace(unprintable, '\ufffd')
}
