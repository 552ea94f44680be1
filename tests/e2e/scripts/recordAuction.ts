import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDemo } from '../src/browser/startDemo.ts'
import { root } from '../src/pack.ts'

// Runs the `firmquote` program in a terminal for an auction on the demo, and writes the terminal's output to
// apps/docs/recording.json: node tests/e2e/scripts/recordAuction.ts

const demo = await startDemo()
try {
  const [, expiry] = /--expiry (\d+)/.exec(demo.output()) ?? []
  if (expiry === undefined) throw new TypeError('The demo did not print an expiry.')
  const command = `firmquote rfq --pool 1 --expiry ${new Date(Number(expiry) * 1000).toISOString().slice(0, 10)} --notional 250k`
  const real = command.replace('firmquote', `${process.execPath} ${join(root, 'apps/cli/src/main.ts')}`)
  const terminal = spawn(
    'script',
    ['--quiet', '--flush', '--return', '--command', `stty rows 30 cols 84; exec ${real}`, '/dev/null'],
    {
      env: { ...process.env, FIRMQUOTE_URL: demo.url, NO_COLOR: '1', TERM: 'xterm' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const started = performance.now()
  const chunks: { atMs: number; text: string }[] = []
  terminal.stdout.on('data', (chunk: Buffer) =>
    chunks.push({ atMs: performance.now() - started, text: chunk.toString() }),
  )
  const [code] = await once(terminal, 'close')
  if (code !== 0) throw new TypeError(`${command} failed:\n${chunks.map(({ text }) => text).join('')}`)
  writeFileSync(
    join(root, 'apps/docs/recording.json'),
    `${JSON.stringify({ command, screens: screensOf(chunks) }, null, 2)}\n`,
  )
} finally {
  await demo.stop()
}

/**
 * Returns a program's successive screens on a tall terminal, without trailing spaces. Includes at most one screen per
 * half second, plus the last screen. Supports only control sequences that move the cursor by lines or clear lines.
 */
function screensOf(output: readonly { atMs: number; text: string }[]) {
  const lines: string[] = ['']
  let [row, column] = [0, 0]
  const put = (text: string) => {
    const line = (lines[row] ?? '').padEnd(column)
    lines[row] = line.slice(0, column) + text + line.slice(column + text.length)
    column += text.length
  }
  const control = (count: number, verb: string | undefined) => {
    if (verb === 'A') row = Math.max(0, row - count)
    if (verb === 'B') row += count
    if (verb === 'G') column = count - 1
    if (verb === 'K') lines[row] = ''
    while (lines.length <= row) lines.push('')
  }
  const screens: { atMs: number; lines: string[] }[] = []
  for (const [index, { atMs, text }] of output.entries()) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal control sequences begin with one
    for (const [piece, parameters, verb] of text.matchAll(/\u001b\[([?\d;]*)([A-Za-z])|\r|\n|[^\u001b\r\n]+/g)) {
      if (piece === '\r') column = 0
      else if (piece === '\n') control(1, 'B')
      else if (verb === undefined) put(piece)
      // Without a parameter, `K` clears from the cursor to the end of the line. The rest of the line is already empty
      // here.
      else if (verb !== 'K' || parameters === '2') control(Number(parameters || '1'), verb)
    }
    const shown = lines.map((line) => line.trimEnd())
    while (shown.at(-1) === '') shown.pop()
    const last = screens.at(-1)
    const isDue = last === undefined || atMs - last.atMs >= 500 || index === output.length - 1
    if (isDue) screens.push({ atMs: Math.round(atMs), lines: shown })
  }
  return screens
}
