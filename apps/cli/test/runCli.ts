import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'

/** How a run went. */
export type CliResult = { code: number | null; out: string; err: string }

/** A run that is under way. */
export type CliRun = Program & { result: Promise<CliResult> }

/** How the built program is started. */
export type CliOptions = {
  environment?: Record<string, string>
  input?: string
  /** Makes the program believe that its output is a terminal of so many columns. */
  columns?: number
}

/** Starts the built program as a child process; without `columns` its output is a pipe. */
export function startCli(args: readonly string[], { environment = {}, input, columns }: CliOptions = {}): CliRun {
  const terminal = `Object.assign(process.stdout, { isTTY: true, columns: ${columns} })`
  const flags = columns === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`]
  const program = startProgram(programOf('cli'), args, environment, flags)
  if (input !== undefined) program.child.stdin.end(input)
  return { ...program, result: program.ended.then((code) => ({ code, ...program.text })) }
}

/** Runs the built program to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, { input: '', ...options }).result
}
