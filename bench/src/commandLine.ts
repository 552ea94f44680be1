/** The parsed arguments of `npm run bench`. */
export type CommandLine = { only: string[]; rounds: number; readme: boolean } | { print: 'help' | 'list' }

/** The text of `--help`. */
export const usage = `npm run bench -- [options]

  --only ROW    measure this row alone; may be given more than once
  --rounds N    how often each side takes its turn (5)
  --readme      put the table and the plot into the README; needs all rows
  --list        name the rows
  --help        this text

Ends with 1 when a goal is missed or a row fails.`

/**
 * Parses the arguments.
 *
 * @returns an error message instead when they are invalid.
 */
export function parseCommandLine(args: readonly string[], rowIds: readonly string[]): CommandLine | string {
  const only: string[] = []
  let rounds = 5
  let readme = false
  const rest = [...args]
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option === '--help' || option === '-h') return { print: 'help' }
    if (option === '--list') return { print: 'list' }
    if (option === '--readme') readme = true
    else if (option === '--only') {
      const id = rest.shift() ?? ''
      if (!rowIds.includes(id)) return `There is no row "${id}": --list names them.`
      only.push(id)
    } else if (option === '--rounds') {
      rounds = Number(rest.shift())
      if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) return '--rounds takes a whole number from 1 to 100.'
    } else return `Unknown option "${option}": --help names them.`
  }
  if (readme && only.length > 0) return 'The README shows all rows: --readme does not go with --only.'
  return { only, rounds, readme }
}
