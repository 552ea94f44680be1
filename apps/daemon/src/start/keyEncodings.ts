/** The ways in which a private key may be written down. */
export function keyEncodings(privateKey: string): string[] {
  const digits = privateKey.replace(/^0x/i, '')
  return [digits, digits.toLowerCase(), digits.toUpperCase()]
}
