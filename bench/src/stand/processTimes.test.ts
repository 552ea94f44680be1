import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { processorTime } from './processTimes.ts'

const busyMs = 200
/** Starts a child that is busy for some time, prints a line, and ends with its parent. */
const code = `
  const { spawn } = require('node:child_process')
  if (process.argv[1] === 'child') {
    while (process.cpuUsage().user < ${busyMs} * 1000);
    console.log('busy no more')
    process.stdin.resume().on('end', () => process.exit())
  } else spawn(process.execPath, ['-e', process.env.CODE, 'child'], { stdio: 'inherit' })
`

test('default: the time of a process and of its children', async () => {
  const parent = spawn(process.execPath, ['-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CODE: code },
  })
  const pids = [parent.pid ?? 0]
  try {
    await once(parent.stdout, 'data')
    expect(processorTime(pids)).toBeGreaterThanOrEqual(busyMs * 1_000)
    expect(processorTime([...pids, ...pids])).toBeGreaterThanOrEqual(2 * busyMs * 1_000)
  } finally {
    const exited = once(parent, 'exit')
    parent.stdin.end()
    await exited
  }
  expect(() => processorTime(pids)).toThrow(`The process ${pids[0]} is gone.`)
})
