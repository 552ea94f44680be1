/** How far a fixed rate is from the floating one, in words; it agrees with the two figures as they are shown. Percent. */
export function compareRates(fixed: number, floating: number): string {
  const apart = Math.round(shown(fixed) * 100) - Math.round(shown(floating) * 100)
  if (apart === 0) return 'the same as floating'
  return `${(Math.abs(apart) / 100).toFixed(2)} points ${apart > 0 ? 'above' : 'below'} floating`
}

function shown(percent: number): number {
  return Number(percent.toFixed(2))
}
