import { describe, expect, test } from '@jest/globals'
import { routeOf } from './viewFiles.ts'

describe('routeOf', () => {
  test.each([
    ['#/auction', '/auction'],
    ['#/auction?pool=0x12&notional=5', '/auction'],
    ['#/auction/abab', '/auction/:rfqId'],
    ['#/auction/abab/0x12', '/auction/:rfqId/:hash'],
    ['#/quote/0x12', '/quote/:hash'],
    ['#/history?mine=1', '/history'],
  ])('default: %s is of the view at %s', (fragment, route) => {
    expect(routeOf(fragment)).toBe(route)
  })

  test.each(['', '#', '#/', '#/auction/', '#/auction/abab/0x12/more', '#/nowhere', '#auction'])(
    'behavior: %s has no file of its own',
    (fragment) => {
      expect(routeOf(fragment)).toBeUndefined()
    },
  )
})
