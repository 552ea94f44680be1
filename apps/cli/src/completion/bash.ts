import type { CompletedCommand, Value } from './describeCommands.ts'

/** Generates the completion script for bash, to be sourced. */
export function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, argument }) => {
    const values = options.flatMap(({ name: option, value }) => (value ? [`${option}) ${offer(value)} ;;`] : []))
    return `    ${name})
      case "$before" in
        ${[...values, `*) case "$word" in -*) words='${options.map((option) => option.name).join(' ')}' ;; *) ${offer(argument)} ;; esac ;;`].join('\n        ')}
      esac ;;`
  })
  return `# ${program} completion for bash
_${program}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} --help --version'
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
_${program}_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
complete -F _${program} ${program}
`

  function offer(value: Value): string {
    if (value.kind === 'words') return `words='${value.words.join(' ')}'`
    return value.kind === 'file' ? `_${program}_files "$word"` : ':'
  }
}
