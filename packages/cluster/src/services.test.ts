import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { findNats } from './findPrograms.ts'
import { isListening } from './isListening.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-services-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('startNats', () => {
  const given = findNats() ? test : test.skip

  given('behavior: it ends with the process that started it, also when that is killed', async () => {
    const script = `import { startNats } from ${JSON.stringify(import.meta.resolve('./startNats.ts'))}
      const { port } = await startNats({ folder: ${JSON.stringify(folder)} })
      console.log(port)`
    const starter = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(starter.stdout, 'data')) as [Buffer]
    const port = Number(said.toString())
    expect(await isListening(port)).toBe(true)
    starter.kill('SIGKILL')
    // Poll, because no process is left to report the program's exit.
    while (await isListening(port)) await sleep(10)
  })
})
