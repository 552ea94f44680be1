import { nodeSeparator, secretSettings } from './settings.ts'

/**
 * Minimum length of a password to redact. Shorter passwords provide no protection, and redacting them would make logs
 * unreadable.
 */
const leastPassword = 6

/**
 * Returns the parts of the environment that must never be logged: secret settings' values, and the user information in
 * those that are URLs. The user information is listed separately because library errors quote parts of URLs.
 */
export function secretTexts(environment: Readonly<Record<string, string | undefined>>): string[] {
  return [...secretSettings].flatMap((name) => {
    const value = environment[name]?.trim() ?? ''
    // The log shows the URL of one node, not the list.
    const values = name === 'RPC_URL' ? value.split(nodeSeparator) : [value]
    return values.flatMap((one) => (one === '' ? [] : [one, ...passwordsIn(one)]))
  })
}

function passwordsIn(address: string): string[] {
  const [, given = ''] = /^[a-z]+:\/\/([^@/]*)@/.exec(address) ?? []
  const [name = '', ...rest] = given.split(':')
  // User information without a colon is a token.
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
