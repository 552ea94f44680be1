// Characters that move the cursor, ring the bell, change colours or text direction, or are invisible: controls, formats
// such as bidi controls and tags, line separators, fillers, variation selectors and the blank Braille pattern.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Makes untrusted text, such as a token's symbol or a server's message, safe to print on one terminal line. */
export function printable(text: string): string {
  return text.replace(unprintable, '\ufffd')
}
