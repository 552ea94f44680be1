/** The parsed command line. `problem` is a sentence shown to the user. */
export type Command =
  | { do: 'help' }
  | { do: 'generate'; input: string; output: string; name: string | undefined; check: boolean }
  | { do: 'refuse'; problem: string }

/** Parses the command-line arguments. */
export function parseArguments(args: readonly string[]): Command {
  const refuse = (problem: string): Command => ({ do: 'refuse', problem })
  if (args.includes('--help') || args.includes('-h')) return { do: 'help' }
  const [command, ...rest] = args
  if (command === undefined) return refuse('No command given. The only command is generate.')
  if (command !== 'generate') return refuse(`Unknown command ${command}. The only command is generate.`)

  const given: { '--in'?: string; '--out'?: string; '--name'?: string } = {}
  let check = false
  while (rest.length > 0) {
    const argument = rest.shift() ?? ''
    const [option = '', inline] = splitOnce(argument)
    if (argument === '--check') check = true
    else if (option === '--in' || option === '--out' || option === '--name') {
      const value = inline ?? rest.shift()
      if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) {
        return refuse(`${option} requires a ${option === '--name' ? 'name' : 'path'}.`)
      }
      if (given[option] !== undefined) return refuse(`${option} is specified twice.`)
      given[option] = value
    } else if (argument.startsWith('-'))
      return refuse(`Unknown option ${argument}. The options are --in, --out, --name and --check.`)
    else return refuse(`Unexpected argument ${argument}; use --in and --out to pass paths.`)
  }
  const { '--in': input, '--out': output, '--name': name } = given
  if (input === undefined) return refuse('generate requires --in with the path of a deployment file.')
  if (output === undefined) return refuse('generate requires --out with the folder to write to.')
  if (name !== undefined && !/^[A-Za-z_]\w*$/.test(name)) return refuse(`--name ${name} is not the name of a constant.`)
  return { do: 'generate', input, output, name, check }
}

function splitOnce(argument: string): [string, string | undefined] {
  const at = argument.indexOf('=')
  return at === -1 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)]
}
