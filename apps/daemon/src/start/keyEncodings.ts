/** Returns the encodings of a private key that the log must redact. */
export function keyEncodings(privateKey: string): string[] {
  const digits = privateKey.replace(/^0x/i, '')
  return [digits, digits.toLowerCase(), digits.toUpperCase()]
}
