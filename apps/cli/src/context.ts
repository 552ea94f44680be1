import { encodeJson } from '@firmquote/core/utils'
import type { Token } from './format/show.ts'
import type { Style } from './format/style.ts'
import type { Spending } from './spending.ts'

/** A command's environment. */
export type Context = {
  /** Command-line arguments without the program name. */
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal
  /** Writes to standard output. */
  write(text: string): void
  /** Writes a note to standard error, so that it does not appear in output that a program parses. */
  note(text: string): void
  /** Reads standard input to the end. */
  standardInput(): Promise<string>
  /** The redrawable area of the terminal, or null if the output is not a terminal. */
  live: LiveArea | null
  style: Style
  /** Waits for work to complete even if the run is interrupted, because a transaction must not be left half-sent. */
  finish<T>(work: Promise<T>): Promise<T>
  /** Redacts a secret in all later output. */
  hide(secret: string): void
  /** Facts for error messages, filled in while the command runs. */
  failure: FailureFacts
}

/** The token in which an error's amounts are denominated, and the amount spent so far, if known. */
export type FailureFacts = { token?: Token; spending?: Spending }

/** Lines at the end of the terminal that are redrawn in place. */
export type LiveArea = {
  /** Current width in columns. */
  width(): number
  draw(text: string): void
  /** Keeps the last drawn lines and continues the output below them. */
  keep(): void
}

/** Writes a result as JSON or as text. In JSON, amounts are decimal strings. */
export function show(context: Context, json: boolean | undefined, value: unknown, text: () => string): void {
  context.write(`${json ? encodeJson(value) : text()}\n`)
}
