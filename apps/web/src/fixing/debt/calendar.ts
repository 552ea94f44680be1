/** A calendar event's content. */
export type CalendarEvent = {
  /** The event's UID is unique and stable across exports, so that calendar apps replace the earlier event. */
  uid: string
  /** Creation time, in Unix seconds. */
  stamp: number
  /** Any time on the event's day (UTC), in Unix seconds. */
  at: number
  title: string
  description: string
  url: string
}

/**
 * Returns a calendar file (RFC 5545) with an all-day event and an alarm at 9 a.m. that day. Pure.
 */
export function calendarEntry({ uid, stamp, at, title, description, url }: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Firmquote//Firmquote//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${dayOf(stamp)}T${timeOf(stamp)}Z`,
    `DTSTART;VALUE=DATE:${dayOf(at)}`,
    `DTEND;VALUE=DATE:${dayOf(at + 86_400)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `URL:${url.replace(/[\r\n]/g, '')}`,
    // Marks the day as free, so that the event causes no conflicts.
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:PT9H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10).replaceAll('-', '')
}

function timeOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(11, 19).replaceAll(':', '')
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
}

const octets = new TextEncoder()
const mostOctets = 75

/**
 * Folds a line into pieces of at most 75 octets. Continuation lines start with a space, which counts towards their
 * length. Never splits a character.
 */
function fold(line: string): string {
  const pieces = ['']
  let size = 0
  for (const character of line) {
    const more = octets.encode(character).length
    if (size + more > mostOctets) {
      pieces.push('')
      size = 1
    }
    pieces.push(`${pieces.pop() ?? ''}${character}`)
    size += more
  }
  return pieces.join('\r\n ')
}
