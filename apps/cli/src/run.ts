import { setTimeout as sleep } from 'node:timers/promises'
import { CommanderError } from 'commander'
import type { Context, FailureFacts, LiveArea } from './context.ts'
import { createProgram } from './createProgram.ts'
import { createSecrets } from './createSecrets.ts'
import { exitCodes } from './exitCodes.ts'
import { colourStyle, plainStyle } from './format/style.ts'

const graceMs = 500

/** Options of {@link run}. */
export type RunOptions = {
  /** Arguments without the program name. */
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  version: string
  /** Aborted by a system signal, whose name is the reason. */
  signal: AbortSignal
  writeOutput(text: string): void
  writeError(text: string): void
  standardInput(): Promise<string>
  /** Redrawable area on the terminal. Null if standard output is not a terminal. */
  live: LiveArea | null
}

/** Runs a command and returns its exit code. Never throws; errors go to standard error. */
export async function run(options: RunOptions): Promise<number> {
  const { args, environment, signal, live } = options
  const secrets = createSecrets()
  const write = (text: string) => options.writeOutput(secrets.redact(text))
  const colours = live !== null && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  const unfinished = new Set<Promise<unknown>>()
  const failure: FailureFacts = {}
  const context: Context = {
    args,
    environment,
    signal,
    finish(work) {
      unfinished.add(work)
      return work.finally(() => unfinished.delete(work))
    },
    write,
    note: (text) => options.writeError(`${secrets.redact(text)}\n`),
    standardInput: options.standardInput,
    live: live && { ...live, draw: (text) => live.draw(secrets.redact(text)) },
    style: colours ? colourStyle : plainStyle,
    hide: secrets.hide,
    failure,
  }
  const program = createProgram(context, options.version)
  // Suppress commander's error output, because the code below reports each mistake in the requested format.
  const output = { writeOut: write, writeErr: () => {}, getOutHasColors: () => false, getErrHasColors: () => false }
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput(output)
  try {
    await untilAborted(program.parseAsync([...args], { from: 'user' }), signal, unfinished)
    return exitCodes.ok
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return exitCodes.ok
    // Load this module only if the run fails.
    const { formatFailure } = await import('./formatFailure.ts')
    const { text, code } = formatFailure(thrown, { json: args.includes('--json'), signal, failure })
    options.writeError(`${secrets.redact(text)}\n`)
    return code
  }
}

/**
 * Waits for a command. On interruption, the command aborts its requests, and any work that cannot be cancelled, such as
 * a chain read, is abandoned.
 */
async function untilAborted(
  work: Promise<unknown>,
  signal: AbortSignal,
  unfinished: ReadonlySet<Promise<unknown>>,
): Promise<void> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = async () => {
      await Promise.allSettled([...unfinished, sleep(graceMs)])
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  await Promise.race([work, aborted])
}
