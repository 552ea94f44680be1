import { serverCount } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { startCrashFixture } from './crashFixture.ts'
import { stopAfter } from './stopAfter.ts'

const started = stopAfter(afterEach)

// The servers of a cluster do not use a data directory.
const onFile = serverCount === 1 ? test : test.skip
onFile(
  'error: a second server on a directory reports in one sentence who is using it, and exits',
  async () => {
    const fixture = started(await startCrashFixture())
    const first = await fixture.start()
    const second = fixture.spawn()
    expect(await second.program.ended).toBe(1)
    const [, pid, since = ''] =
      /^Another server is using .*: process (\d+), since (\S+Z); stop that process first, .*\n$/.exec(
        second.program.text.err,
      ) ?? []
    expect(second.program.text.out).toBe('')
    expect(Number(pid)).toBe(first.program.child.pid)
    expect(Date.parse(since)).toBeGreaterThanOrEqual(first.spawnedAt)
    expect(Date.parse(since)).toBeLessThanOrEqual(first.readyAt ?? 0)
    expect((await fetch(`${fixture.url}/readyz`)).status).toBe(200)

    // The lock is released when the process that holds it ends for any reason.
    first.program.child.kill('SIGKILL')
    await first.program.ended
    expect((await fixture.start()).readyAt).not.toBeNull()
  },
  60_000,
)
