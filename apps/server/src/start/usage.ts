import { settings } from './settings.ts'

/** Text of `--help`. */
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
  return `Usage: firmquote-server [admin COMMAND | backup [--verify] FILE | copy --to URL | --help | --version]

Runs the Firmquote request-for-quote service. Settings are environment variables.

Basic:

${lines(true)}

Advanced:

${lines(false)}

When the server is ready, it writes the line "ready <url>" to standard output. Logs go to standard error, one JSON object
per line. SIGINT or SIGTERM shuts the server down gracefully; a second signal stops it immediately.

"admin COMMAND" controls a running server; "admin --help" lists the commands.

"backup FILE" copies the SQLite database in DATA_DIR to a new file, even while the server is running.
"backup --verify FILE" checks such a file and prints what it contains. The exit status is 1 if the file is not an intact
copy, or if CHAIN_ID or QUOTE_MARKET is set and differs.

"copy --to URL" copies the SQLite database in DATA_DIR to an empty PostgreSQL database. Stop the server first. If the copy is
interrupted, run it again to resume. A server refuses to start on an incomplete copy.
`
}

/**
 * Returns the settings as the documentation lists them. `fallback` is empty without a default value.
 */
export function settingLines(): { name: string; about: string; fallback: string; isBasic: boolean }[] {
  return Object.entries(settings).map(([name, { about, fallback, isBasic }]) => ({
    name,
    about,
    isBasic,
    fallback: fallback === undefined || fallback === null ? '' : String(fallback),
  }))
}
