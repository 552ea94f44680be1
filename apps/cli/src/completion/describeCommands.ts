import type { Argument, Command, Option } from 'commander'

/** What stands in the place of a value: one of some words, a file, or what only the user knows. */
export type Value = { kind: 'words'; words: readonly string[] } | { kind: 'file' } | { kind: 'other' }

/** An option by its long name, `--pool`; without a value it is a switch. */
export type CompletedOption = { name: string; description: string; value: Value | null }

/** A command by its name, what may follow it, and its options. */
export type CompletedCommand = {
  name: string
  description: string
  argument: Value
  options: readonly CompletedOption[]
}

/** Names the commands of a program with their options, as its shell completion offers them. Pure. */
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

/** A value that is named `<file>` or `<path>` is one. */
function completeValue(given: Option | Argument): Value {
  if (given.argChoices) return { kind: 'words', words: given.argChoices }
  const name = 'flags' in given ? given.flags.replace(/^.* </, '').replace('>', '') : given.name()
  return name === 'file' || name === 'path' ? { kind: 'file' } : other
}
