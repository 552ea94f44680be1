import { settings } from './settings.ts'

/** The text of `--help`. */
export function usage(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length))
  const lines = settingLines().map(({ name, about, fallback }) => {
    const end = fallback === '' ? '' : ` (default ${fallback})`
    return `  ${name.padEnd(width)}  ${about.replaceAll('`', '')}${end}`
  })
  return `Usage: firmquote-server [backup FILE | --help | --version]

Runs the Firmquote request-for-quote service. It is configured by environment variables:

${lines.join('\n')}

When it is ready it writes one line "ready <url>" to standard output. Its log, one JSON object a line, goes to standard
error. SIGINT or SIGTERM stops it gracefully; a second one at once.

"backup FILE" copies the database of DATA_DIR to a file that is not there yet, also while the server runs.
`
}

/** The settings as documents show them; `fallback` is empty where `about` says what happens. */
export function settingLines(): { name: string; about: string; fallback: string }[] {
  return Object.entries(settings).map(([name, { about, fallback }]) => ({
    name,
    about,
    fallback: fallback === undefined || fallback === null ? '' : String(fallback),
  }))
}
