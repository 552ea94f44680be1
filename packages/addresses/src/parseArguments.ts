/** The parsed command line. `problem` is a sentence shown to the user. */
export type Command =
  | { do: 'help' }
  | { do: 'generate'; input: string; output: string; check: boolean }
  | { do: 'refuse'; problem: string }

/** Parses the command-line arguments. */
export function parseArguments(args: readonly string[]): Command {
  const refuse = (problem: string): Command => ({ do: 'refuse', problem })
  if (args.includes('--help') || args.includes('-h')) return { do: 'help' }
  const [command, ...rest] = args
  if (command === undefined) return refuse('No command given. The only command is generate.')
  if (command !== 'generate') return refuse(`Unknown command ${command}. The only command is generate.`)

  const paths: { '--in'?: string; '--out'?: string } = {}
  let check = false
  while (rest.length > 0) {
    const argument = rest.shift() ?? ''
    const [option = '', inline] = splitOnce(argument)
    if (argument === '--check') check = true
    else if (option === '--in' || option === '--out') {
      const path = inline ?? rest.shift()
      if (path === undefined || path === '' || (inline === undefined && path.startsWith('--'))) {
        return refuse(`${option} requires a path.`)
      }
      if (paths[option] !== undefined) return refuse(`${option} is specified twice.`)
      paths[option] = path
    } else if (argument.startsWith('-'))
      return refuse(`Unknown option ${argument}. The options are --in, --out and --check.`)
    else return refuse(`Unexpected argument ${argument}; use --in and --out to pass paths.`)
  }
  if (paths['--in'] === undefined) return refuse('generate requires --in with the path of a deployment file.')
  if (paths['--out'] === undefined) return refuse('generate requires --out with the folder to write to.')
  return { do: 'generate', input: paths['--in'], output: paths['--out'], check }
}

function splitOnce(argument: string): [string, string | undefined] {
  const at = argument.indexOf('=')
  return at === -1 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)]
}
