import type { CompletedCommand, Value } from './describeCommands.ts'

/** Generates the completion script for zsh, to be sourced or installed as `_program` on the `fpath`. */
export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, argument }) => {
    const values = options.flatMap(({ name: option, value }) => (value ? [`${option}) ${offer(value)} ;;`] : []))
    const described = options.map((option) => entry(option.name, option.description)).join(' ')
    return `    ${name})
      case "$before" in
        ${[...values, `*) if [[ "$word" == -* ]]; then found=(${described}); _describe option found; else ${offer(argument)}; fi ;;`].join('\n        ')}
      esac ;;`
  })
  return `#compdef ${program}
_${program}() {
  local word="\${words[CURRENT]}" before="\${words[CURRENT-1]}"
  local -a found
  if (( CURRENT == 2 )); then
    found=(${commands.map(({ name, description }) => entry(name, description)).join(' ')})
    _describe command found
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _${program} ]; then _${program} "$@"; else compdef _${program} ${program}; fi
`
}

function offer(value: Value): string {
  if (value.kind === 'words') return `compadd -- ${value.words.join(' ')}`
  return value.kind === 'file' ? '_files' : ':'
}

function entry(name: string, description: string): string {
  return `'${name}:${description.replaceAll("'", "'\\''")}'`
}
