import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { screenAfter } from '../../../apps/cli/test/screen.ts'
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

/** Returns a program's successive screens: at most one per half second, plus the last one. */
function screensOf(output: readonly { atMs: number; text: string }[]) {
  const screens: { atMs: number; lines: string[] }[] = []
  let shown = ''
  for (const [index, { atMs, text }] of output.entries()) {
    shown += text.replaceAll('\r\n', '\n')
    const lines = screenAfter(shown).map((line) => line.trimEnd())
    while (lines.at(-1) === '') lines.pop()
    const last = screens.at(-1)
    const isDue = last === undefined || atMs - last.atMs >= 500 || index === output.length - 1
    if (isDue) screens.push({ atMs: Math.round(atMs), lines })
  }
  return screens
}
