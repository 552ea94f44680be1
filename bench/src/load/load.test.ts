import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))
const small = ['--backers', '3', '--borrowers', '1', '--auction-ms', '1500']

/**
 * Runs a load with an IPC channel, as the root script does. `at.call` is called once, when the output first contains
 * `text`.
 */
async function runProgram(args: string[], at?: { text: string; call: (pid: number) => void }) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  let waiting = at
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
      if (!waiting || !output.includes(waiting.text) || child.pid === undefined) return
      const { call } = waiting
      waiting = undefined
      call(child.pid)
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

test('default', async () => {
  const { code, output } = await runProgram([...small, '--seconds', '1'])
  expect(output).toMatch(/^verdicts: ACCEPTED \d+\nevery quote was answered$/m)
  expect(output).not.toContain('NaN')
  expect(code).toBe(0)
})

test('behavior: shuts down gracefully on Ctrl-C, which arrives twice', async () => {
  const interrupt = (pid: number) => {
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGINT')
  }
  const { code, output } = await runProgram([...small, '--seconds', '600'], {
    text: 'quotes answered',
    call: interrupt,
  })
  expect(output).toMatch(/^every quote was answered$/m)
  expect(code).toBe(0)
})

test.each([
  [['--backers', 'zero'], '--backers must be a positive integer.\n'],
  [['--url', 'http://localhost:1'], expect.stringContaining('Pass --keys FILE')],
])('error: %j', async (args, message) => {
  expect(await runProgram(args)).toEqual({ code: 1, output: message })
})
