import { expect, jest, test } from '@jest/globals'
import { QueryClient } from '@tanstack/react-query'
import { whenClosed } from './whenClosed.ts'

const key = ['auction', 'a']

test('whenClosed: once, and of this auction alone', () => {
  const cache = new QueryClient()
  const heard = jest.fn()
  whenClosed(cache, key, heard)
  cache.setQueryData(key, { status: 'open' })
  cache.setQueryData(['auction', 'b'], { status: 'closed' })
  expect(heard).not.toHaveBeenCalled()
  cache.setQueryData(key, { status: 'closed', backers: 1 })
  cache.setQueryData(key, { status: 'closed', backers: 2 })
  expect(heard.mock.calls).toEqual([[{ status: 'closed', backers: 1 }]])
  cache.clear()
})

test('whenClosed: at once where it has closed already', () => {
  const cache = new QueryClient()
  cache.setQueryData(key, { status: 'closed' })
  const heard = jest.fn()
  whenClosed(cache, key, heard)
  expect(heard).toHaveBeenCalledTimes(1)
  cache.clear()
})
