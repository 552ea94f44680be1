import { describe, expect, test } from '@jest/globals'
import { routeOf } from './viewFiles.ts'

describe('routeOf', () => {
  test.each([
    ['#/curve', '/curve'],
    ['#/curve?pool=0x12&size=5', '/curve'],
    ['#/auction/abab', '/auction/:rfqId'],
    ['#/auction/abab/0x12', '/auction/:rfqId/:hash'],
    ['#/quote/0x12', '/quote/:hash'],
    ['#/history?mine=1', '/history'],
    ['#/maker/0x12', '/maker/:address'],
  ])('default: %s is of the view at %s', (fragment, route) => {
    expect(routeOf(fragment)).toBe(route)
  })

  test.each([
    '',
    '#',
    '#/',
    '#/?pool=0x12',
    '#/auction',
    '#/auction/',
    '#/auction/abab/0x12/more',
    '#/nowhere',
    '#auction',
  ])('behavior: %s has no file of its own', (fragment) => {
    expect(routeOf(fragment)).toBeUndefined()
  })
})
