import { useEffect, useState } from 'react'
import { useTexts } from '../copy/words.ts'
import { lastingStorage } from '../service/browserStorage.ts'
import { Button } from '../ui/Button.tsx'

const key = 'firmquote.theme'

/**
 * Switches between the light and dark themes. Follows the system setting until the visitor makes a choice, which is
 * saved.
 */
export function ThemeSwitch() {
  const { app } = useTexts()
  const [chosen, setChosen] = useState(loadTheme)
  useEffect(() => {
    if (chosen) document.documentElement.dataset['theme'] = chosen
  }, [chosen])
  const dark = (chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  const choose = () => {
    const next = dark ? 'light' : 'dark'
    lastingStorage.setItem(key, next)
    setChosen(next)
  }
  return (
    <Button onClick={choose} aria-label={dark ? app.lightTheme : app.darkTheme}>
      <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
    </Button>
  )
}

function loadTheme(): 'light' | 'dark' | null {
  const theme = lastingStorage.getItem(key)
  return theme === 'light' || theme === 'dark' ? theme : null
}
