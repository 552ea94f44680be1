const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const longestMs = 3_650 * units.d

/** Milliseconds of a duration such as `30m`, `24h` or `7d`, from a minute to ten years. Null for another text. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^([1-9]\d{0,6})([mhd])$/.exec(text) ?? []
  if (digits === undefined) return null
  const milliseconds = Number(digits) * units[unit as keyof typeof units]
  return milliseconds <= longestMs ? milliseconds : null
}
