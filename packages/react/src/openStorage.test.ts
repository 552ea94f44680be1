import { describe, expect, test } from '@jest/globals'
import { type BrowserStorage, openStorage } from './openStorage.ts'

const refuse = () => {
  throw new Error('The operation is insecure.')
}

function working(): BrowserStorage & { all: Map<string, string> } {
  const all = new Map<string, string>()
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  }
}

describe('openStorage', () => {
  test('default', () => {
    const browser = working()
    const storage = openStorage(() => browser)
    expect(storage.getItem('a')).toBeNull()
    storage.setItem('a', '1')
    expect(browser.all.get('a')).toBe('1')
    expect(storage.getItem('a')).toBe('1')
    storage.removeItem('a')
    expect(storage.getItem('a')).toBeNull()
  })

  test.each([
    ['forbidden', refuse],
    ['full', () => ({ ...working(), setItem: refuse })],
  ])('behavior: one that is %s forgets nothing while the page lives', (_, open) => {
    const storage = openStorage(open)
    expect(storage.getItem('a')).toBeNull()
    storage.setItem('a', '1')
    expect(storage.getItem('a')).toBe('1')
    storage.removeItem('a')
    expect(storage.getItem('a')).toBeNull()
  })
})
