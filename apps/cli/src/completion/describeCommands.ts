import type { Argument, Command, Option } from 'commander'

/** The values that an option or argument accepts: fixed words, a file, or anything else. */
export type Value = { kind: 'words'; words: readonly string[] } | { kind: 'file' } | { kind: 'other' }

/** An option with its long name, such as `--pool`. `value` is null for an option without a value. */
export type CompletedOption = { name: string; description: string; value: Value | null }

/** A command, its first argument and its options. */
export type CompletedCommand = {
  name: string
  description: string
  argument: Value
  options: readonly CompletedOption[]
}

/** Describes a program's commands and options for shell completion. Pure. */
export function describeCommands(program: Command): CompletedCommand[] {
  const commands = program.commands.map((command) => {
    const [argument] = command.registeredArguments
    return {
      name: command.name(),
      description: command.description(),
      argument: argument ? completeValue(argument) : other,
      options: [...command.options.map(describeOption), help],
    }
  })
  const words = commands.map(({ name }) => name)
  const helpCommand = { name: 'help', description: 'help for a command', argument: { kind: 'words' as const, words } }
  return [...commands, { ...helpCommand, options: [] }]
}

const other: Value = { kind: 'other' }
const help: CompletedOption = { name: '--help', description: 'display help for command', value: null }

function describeOption(option: Option): CompletedOption {
  const { long, short, description } = option
  const takesValue = option.required || option.optional
  return { name: long ?? short ?? '', description, value: takesValue ? completeValue(option) : null }
}

/** Returns the completion for a value. A value named `<file>` or `<path>` is a file. */
function completeValue(given: Option | Argument): Value {
  if (given.argChoices) return { kind: 'words', words: given.argChoices }
  const name = 'flags' in given ? given.flags.replace(/^.* </, '').replace('>', '') : given.name()
  return name === 'file' || name === 'path' ? { kind: 'file' } : other
}
