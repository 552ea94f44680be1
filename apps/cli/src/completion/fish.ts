import type { CompletedCommand, Value } from './describeCommands.ts'

/** Generates the completion script for fish, to be sourced or saved in its completions folder. */
export function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, argument, options }) => {
    const within = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
      ...(argument.kind === 'other' ? [] : [`${within}${offer(argument)}`]),
      ...options.map((option) => {
        const value = option.value ? ` -r${offer(option.value)}` : ''
        return `${within} -l ${option.name.slice(2)}${value} -d ${quote(option.description)}`
      }),
    ]
  })
  return [
    `# ${program} completion for fish`,
    `complete -c ${program} -f`,
    `complete -c ${program} -n __fish_use_subcommand -l help`,
    `complete -c ${program} -n __fish_use_subcommand -l version`,
    ...lines,
    '',
  ].join('\n')
}

function offer(value: Value): string {
  if (value.kind === 'words') return ` -f -a '${value.words.join(' ')}'`
  return value.kind === 'file' ? ' -F' : ' -f'
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
