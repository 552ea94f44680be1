import { useState } from 'react'

/**
 * Returns the visitor's font size relative to the default. Drawings in pixels scale their margins by this factor.
 */
export function useLetterScale(): number {
  const [scale] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)
  return scale
}
