import { openStorage } from '@firmquote/react'
import { expect, test } from '@jest/globals'
import { mayReload } from './loadView.ts'

function emptyStorage() {
  return openStorage(() => {
    throw new Error('The operation is insecure.')
  })
}

test('default: the page loads itself again once, not over and over', () => {
  const storage = emptyStorage()
  expect(mayReload(storage, 1_000_000)).toBe(true)
  expect(mayReload(storage, 1_000_000)).toBe(false)
  expect(mayReload(storage, 1_059_999)).toBe(false)
  expect(mayReload(storage, 1_060_000)).toBe(true)
})

test('error: what it cannot read does not stop it', () => {
  const storage = emptyStorage()
  storage.setItem('firmquote.reloaded', 'soon')
  expect(mayReload(storage, 1_000_000)).toBe(true)
})
