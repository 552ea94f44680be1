/** A text on the command line that becomes a parameter of the method. */
export type Value = {
  /** Name in the help, such as `DURATION`. */
  name: string
  /** Description of a valid value, which completes the sentence "it must be …". */
  expected: string
  /** Returns the parameter, or undefined if the text is invalid. */
  parse(text: string): unknown
}

/** A parameter of a command. `key` is its name in the method's parameters. */
export type Parameter = { key: string; value: Value; about: string }

/** A parameter that is given with a flag, such as `for` for `--for`. */
export type Option = Parameter & { flag: string; isRequired?: boolean }

/**
 * A command of `firmquote-server admin`. It calls the admin method with the same words, joined by dots. The help and
 * the table in docs/operating.md are checked against these records.
 */
export type Command = {
  /** Words on the command line, such as `makers ban`. */
  words: string
  /** One-line description. */
  about: string
  arguments?: readonly Parameter[]
  options?: readonly Option[]
  /** Whether the command changes something. If so, `who` is sent as well, for the audit. */
  changes?: boolean
  /** Formats the method's result for people. */
  print(result: unknown): string
}

/** Creates a command. `Result` must be the type of the method's result, which is not checked. */
export function command<Result>(given: Omit<Command, 'print'> & { print(result: Result): string }): Command {
  return { ...given, print: (result) => given.print(result as Result) }
}

/** Formats a command with its arguments and options, such as `makers unban ADDRESS --why TEXT`. */
export function synopsis({ words, arguments: given = [], options = [] }: Command): string {
  const flags = options.map(({ flag, value, isRequired }) => {
    const text = `--${flag} ${value.name}`
    return isRequired ? text : `[${text}]`
  })
  return [words, ...given.map(({ value }) => value.name), ...flags].join(' ')
}
