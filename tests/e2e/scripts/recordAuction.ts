import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDemo } from '../src/browser/startDemo.ts'
import { screensOf } from '../src/docs/screensOf.ts'
import { root } from '../src/pack.ts'

// Runs an auction against the demo with the program `firmquote` on a terminal, and writes what the terminal showed to
// apps/docs/recording.json: node tests/e2e/scripts/recordAuction.ts

const demo = await startDemo()
try {
  const [, expiry] = /--expiry (\d+)/.exec(demo.output()) ?? []
  if (expiry === undefined) throw new TypeError('The demo names no expiry.')
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
    `${JSON.stringify({ command, screens: screensOf(chunks, 500) }, null, 2)}\n`,
  )
} finally {
  await demo.stop()
}
