import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { run } from '../src/run.ts'

/** Result of a run. */
export type CliResult = { code: number | null; out: string; err: string }

/** A CLI run in a child process. */
export type CliRun = Program & { result: Promise<CliResult> }

export type CliOptions = {
  environment?: Record<string, string>
  input?: string
  /** Width of the terminal. If omitted, standard output is a pipe. */
  columns?: number
}

/** Starts the program as a child process whose standard input stays open. */
export function startCli(args: readonly string[], { environment = {}, columns }: Omit<CliOptions, 'input'>): CliRun {
  const terminal = `Object.assign(process.stdout, { isTTY: true, columns: ${columns} })`
  const flags = columns === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`]
  const program = startProgram(programOf('cli'), args, environment, flags)
  return { ...program, result: program.ended.then((code) => ({ code, ...program.text })) }
}

/** Runs a command in this process, which avoids the start-up time of a child process. */
export async function runCli(
  args: readonly string[],
  { environment = {}, input = '', columns }: CliOptions = {},
): Promise<CliResult> {
  const text = { out: '', err: '' }
  const writeOutput = (output: string) => {
    text.out += output
  }
  const code = await run({
    args,
    environment,
    version: '0.0.0',
    signal: new AbortController().signal,
    writeOutput,
    writeError: (output) => {
      text.err += output
    },
    standardInput: async () => input,
    live: columns === undefined ? null : { width: () => columns, draw: writeOutput, keep: () => {} },
  })
  return { code, ...text }
}
