#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { addAbortSignal, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createLogUpdate } from 'log-update'
import type { LiveArea } from './context.ts'
import { exitCodes } from './exitCodes.ts'
import { run } from './run.ts'

// Only this file accesses the process: arguments, environment, streams, signals and exit codes.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const { argv, env, stdin, stdout, stderr } = process

// Exit when the reader closes its end of the output pipe.
for (const stream of [stdout, stderr]) stream.on('error', () => process.exit(exitCodes.brokenPipe))

// Hide the message and causes of an unexpected error, because they may contain a node URL with a key.
process.on('uncaughtException', ({ name }) => {
  stderr.write(`firmquote: Unexpected error: ${name}. (INTERNAL)\n`)
  process.exit(exitCodes.failure)
})

const interruption = new AbortController()
const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal ends the process immediately.
    if (interruption.signal.aborted) process.exit(codes[signal])
    interruption.abort(signal)
  })
}

const code = await run({
  args: argv.slice(2),
  environment: env,
  version,
  signal: interruption.signal,
  writeOutput: (output) => stdout.write(output),
  writeError: (output) => stderr.write(output),
  standardInput: () => text(addAbortSignal(interruption.signal, stdin)),
  live: stdout.isTTY ? createLiveArea() : null,
})
// Pending work, such as a receipt or a socket, must not keep the process alive, but all output must be flushed.
await Promise.all([flushed(stdout), flushed(stderr)])
process.exit(code)

function createLiveArea(): LiveArea {
  // The cursor stays visible, so nothing needs to be restored when the process ends.
  const update = createLogUpdate(stdout, { showCursor: true })
  return { width: () => stdout.columns || 80, draw: (lines) => update(lines), keep: () => update.done() }
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
