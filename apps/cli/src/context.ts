import { encodeJson } from '@firmquote/core/wire'
import type { Token } from './format/show.ts'
import type { Style } from './format/style.ts'
import type { Spending } from './spending.ts'

/** What a command may use of its environment. */
export type Context = {
  /** What was typed, without the program itself. */
  args: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal
  /** Writes to standard output. */
  write(text: string): void
  /** Writes a line beside the result, to standard error: what reads the result does not see it. */
  note(text: string): void
  /** Reads standard input to its end. */
  standardInput(): Promise<string>
  /** A part of the terminal that can be redrawn, or null where there is no terminal. */
  live: LiveArea | null
  style: Style
  /** Lets work finish also when the run is interrupted: what is being sent is either sent or not. */
  finish<T>(work: Promise<T>): Promise<T>
  /** Keeps a secret out of everything that is written from now on. */
  hide(secret: string): void
  /** What a failure is told with: a command writes into it as it goes on. */
  failure: FailureFacts
}

/** The token in which the amounts of an error are, and what was spent before it; where they are known. */
export type FailureFacts = { token?: Token; spending?: Spending }

/** Lines at the end of a terminal that are drawn anew in place. */
export type LiveArea = {
  /** Columns, at this moment. */
  width(): number
  draw(text: string): void
  /** Leaves what was drawn last where it is; what is written next stands below it. */
  keep(): void
}

/** Writes a result: one JSON document for machines, text for people. Amounts are decimal strings in JSON. */
export function show(context: Context, json: boolean | undefined, value: unknown, text: () => string): void {
  context.write(`${json ? encodeJson(value) : text()}\n`)
}
