import { useState } from 'react'

/** How many times larger than usual a visitor has set letters: a drawing in pixels needs as much more room around them. */
export function useLetterScale(): number {
  const [scale] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)
  return scale
}
