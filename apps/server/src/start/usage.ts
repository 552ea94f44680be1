import { settings } from './settings.ts'

/** The text of `--help`. */
export function usage(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length))
  const lines = (isBasic: boolean) =>
    settingLines()
      .filter((line) => line.isBasic === isBasic)
      .map(({ name, about, fallback }) => {
        const end = fallback === '' ? '' : ` (default ${fallback})`
        return `  ${name.padEnd(width)}  ${about.replaceAll('`', '')}${end}`
      })
      .join('\n')
  return `Usage: firmquote-server [backup FILE | copy --to URL | --help | --version]

Runs the Firmquote request-for-quote service. It is configured by environment variables.

Basic:

${lines(true)}

Advanced:

${lines(false)}

When it is ready it writes one line "ready <url>" to standard output. Its log, one JSON object a line, goes to standard
error. SIGINT or SIGTERM stops it gracefully; a second one at once.

"backup FILE" copies the database of DATA_DIR to a file that is not there yet, also while the server runs.

"copy --to URL" copies the database of DATA_DIR, whose server is stopped, to a PostgreSQL database that is empty. Cut short,
it goes on where it was when it is run again; until it is complete, no server starts on the copy.
`
}

/** The settings as documents show them; `fallback` is empty where `about` says what happens. */
export function settingLines(): { name: string; about: string; fallback: string; isBasic: boolean }[] {
  return Object.entries(settings).map(([name, { about, fallback, isBasic }]) => ({
    name,
    about,
    isBasic,
    fallback: fallback === undefined || fallback === null ? '' : String(fallback),
  }))
}
