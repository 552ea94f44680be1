import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { calendarEntry } from './calendar.ts'

const event = {
  uid: '7.8453@firmquote',
  stamp: Date.UTC(2026, 10, 22, 23, 5, 9) / 1000,
  at: Date.UTC(2026, 11, 31, 16) / 1000,
  title: 'Fixed rate ends',
  description: 'Settle it.',
  url: 'https://rates.example/#/position/7',
}

test('default: an hour with an alarm at its start, as RFC 5545 has it', () => {
  expect(calendarEntry(event)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Firmquote//Firmquote//EN',
      'BEGIN:VEVENT',
      'UID:7.8453@firmquote',
      'DTSTAMP:20261122T230509Z',
      'DTSTART:20261231T160000Z',
      'DTEND:20261231T170000Z',
      'SUMMARY:Fixed rate ends',
      'DESCRIPTION:Settle it.',
      'URL:https://rates.example/#/position/7',
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Fixed rate ends',
      'TRIGGER:PT0S',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

test('behavior: what has a meaning in it is escaped', () => {
  const text = calendarEntry({ ...event, title: 'a,b;c\\d', description: 'one\r\ntwo\nthree' })
  expect(text).toContain('SUMMARY:a\\,b\\;c\\\\d\r\n')
  expect(text).toContain('DESCRIPTION:one\\ntwo\\nthree\r\n')
  expect(calendarEntry({ ...event, url: 'https://a/\r\nATTENDEE:b' })).toContain('URL:https://a/ATTENDEE:b\r\n')
})

test('behavior: 75 octets stay on one line, and one more goes to the next', () => {
  const title = (length: number) => 'x'.repeat(length - 'SUMMARY:'.length)
  expect(calendarEntry({ ...event, title: title(75) })).toContain(`SUMMARY:${title(75)}\r\n`)
  expect(calendarEntry({ ...event, title: title(76) })).toContain(`SUMMARY:${title(75)}\r\n x\r\n`)
})

test('behavior: whatever is in it, no line is longer than 75 octets, none is torn within a character, and it reads back', () => {
  const octets = new TextEncoder()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (description) => {
      const text = calendarEntry({ ...event, description })
      const lines = text.split('\r\n')
      expect(lines.every((line) => octets.encode(line).length <= 75)).toBe(true)
      expect(new TextDecoder('utf-8', { fatal: true }).decode(octets.encode(text))).toBe(text)
      const [, read = ''] = /^DESCRIPTION:([^\n]*)$/m.exec(text.replaceAll('\r\n ', '').replaceAll('\r\n', '\n')) ?? []
      expect(read.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))).toBe(
        description.replace(/\r\n|\r/g, '\n'),
      )
    }),
  )
})
