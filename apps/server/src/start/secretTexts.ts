import { secretSettings } from './settings.ts'

/** Shorter ones guard nothing, and taking them out would leave nothing readable. */
const leastPassword = 6

/**
 * Texts of the environment that must never be written: the values of secret settings, and of the addresses among them what they
 * say before the host, since errors of libraries name parts of an address.
 */
export function secretTexts(environment: Readonly<Record<string, string | undefined>>): string[] {
  return [...secretSettings].flatMap((name) => {
    const value = environment[name]?.trim() ?? ''
    return value === '' ? [] : [value, ...passwordsIn(value)]
  })
}

function passwordsIn(address: string): string[] {
  const [, given = ''] = /^[a-z]+:\/\/([^@/]*)@/.exec(address) ?? []
  const [name = '', ...rest] = given.split(':')
  // Without a colon it is a token.
  const password = rest.length > 0 ? rest.join(':') : name
  return [...new Set([given, password, decode(password)])].filter(({ length }) => length >= leastPassword)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
