import { describe, expect, test } from '@jest/globals'
import { replaceBetweenMarkers } from './readmeTable.ts'

const begin = '<!-- bench: begin -->'
const end = '<!-- bench: end -->'

describe('replaceBetweenMarkers', () => {
  test('default: the table of a run takes the place of the last one', () => {
    const once = replaceBetweenMarkers(`before\n${begin}\nold\n${end}\nafter\n`, '| new $& |\n')
    expect(once).toBe(`before\n${begin}\n| new $& |\n${end}\nafter\n`)
    expect(replaceBetweenMarkers(once, '| new $& |')).toBe(once)
  })
  test.each([
    ['none', 'text'],
    ['one', begin],
    ['the wrong order', `${end} ${begin}`],
    ['too many', `${begin} ${end} ${begin} ${end}`],
  ])('error: %s', (_, readme) => {
    expect(() => replaceBetweenMarkers(readme, 'x')).toThrow('once each')
  })
})
