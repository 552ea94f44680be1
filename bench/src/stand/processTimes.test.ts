import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { readProcessTimes, timesBetween, totalTime } from './processTimes.ts'

const busyMs = 200
/** A process whose child is busy for some time, waits for a line, and ends with its parent. */
const program = `
  const { spawn } = require('node:child_process')
  if (process.argv[1] === 'child') {
    while (process.cpuUsage().user < ${busyMs} * 1000);
    console.log('busy no more')
    process.stdin.resume().on('end', () => process.exit())
  } else spawn(process.execPath, ['-e', ${JSON.stringify('PROGRAM')}, 'child'], { stdio: 'inherit' })
`

test('default: the time of a process and, apart, of the processes that it has started', async () => {
  const code = program.replace('"PROGRAM"', 'process.env.CODE')
  const parent = spawn(process.execPath, ['-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CODE: code },
  })
  try {
    await once(parent.stdout, 'data')
    const watched = {
      name: 'parent',
      pid: parent.pid ?? 0,
      childName: (title: string) => title.split(' ').at(-1) ?? '',
    }
    const times = readProcessTimes([watched])
    expect(times.get('child')).toBeGreaterThanOrEqual(busyMs * 1_000)
    expect(times.get('parent')).toBeGreaterThan(0)
    expect([...readProcessTimes([{ name: 'parent', pid: parent.pid ?? 0 }]).keys()]).toEqual(['parent'])
    expect(totalTime(timesBetween(times, times))).toBe(0)
  } finally {
    const exited = once(parent, 'exit')
    parent.stdin.end()
    await exited
  }
  expect(() => readProcessTimes([{ name: 'it', pid: parent.pid ?? 0 }])).toThrow('The process of it is gone.')
})
