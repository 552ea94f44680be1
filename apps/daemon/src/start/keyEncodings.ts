/** The texts in which a private key may appear, for a log that hides them. */
export function keyEncodings(privateKey: string): string[] {
  const digits = privateKey.replace(/^0x/i, '')
  return [digits, digits.toLowerCase(), digits.toUpperCase()]
}
