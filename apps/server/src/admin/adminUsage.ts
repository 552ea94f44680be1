import { type Command, synopsis } from './command.ts'
import { table } from './format.ts'

const sharedOptions = [
  ['--json', 'print the result as JSON'],
  ['--socket PATH', 'socket of the server; default: ADMIN_SOCKET, or admin.sock in DATA_DIR'],
  ['--help', 'show this help'],
]
const asOption = ['--as NAME', 'your name for the audit, which nothing verifies; default: your user name']

/** Text of `admin --help`, or of `admin makers --help` for a group of commands. */
export function adminUsage(commands: readonly Command[]): string {
  return `Usage: firmquote-server admin COMMAND [OPTIONS]

Controls a running server over its Unix socket. Only the server's user and root can access the socket.

Commands:

${indented(commands.map((one) => [synopsis(one), one.about]))}

Options:

${indented([...sharedOptions.slice(0, -1), asOption, ['--help', 'show this help, or the help of a command']])}
`
}

/** Text of `--help` after a command. */
export function commandUsage(command: Command): string {
  const { about, arguments: given = [], options = [], changes } = command
  const rows = [
    ...given.map(({ value, about }) => [value.name, `${about} (${value.expected})`]),
    ...options.map(({ flag, value, about }) => [`--${flag} ${value.name}`, `${about} (${value.expected})`]),
    ...(changes ? [asOption] : []),
    ...sharedOptions,
  ]
  return `Usage: firmquote-server admin ${synopsis(command)} [OPTIONS]

${about.charAt(0).toUpperCase()}${about.slice(1)}.

${indented(rows)}
`
}

function indented(rows: readonly (readonly string[])[]): string {
  return table(rows).replaceAll('`', '').replaceAll(/^/gm, '  ')
}
