/** A calendar event's content. */
export type CalendarEvent = {
  /** The event's UID is unique and stable across exports, so that calendar apps replace the earlier event. */
  uid: string
  /** Creation time, in Unix seconds. */
  stamp: number
  /** Start of the event and time of its alarm, in Unix seconds. */
  at: number
  title: string
  description: string
  url: string
}

/**
 * Returns a calendar file (RFC 5545) with an event of one hour and an alarm at its start. Pure.
 */
export function calendarEntry({ uid, stamp, at, title, description, url }: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Firmquote//Firmquote//EN',
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${instant(stamp)}`,
    `DTSTART:${instant(at)}`,
    `DTEND:${instant(at + 3_600)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `URL:${url.replace(/[\r\n]/g, '')}`,
    // Marks the time as free, so that the event causes no conflicts.
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** Formats a time in UTC, as in `20261122T230509Z`. */
function instant(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
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
