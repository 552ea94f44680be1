import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { fencedBlocks } from './fencedBlocks.ts'

const blocksOf = (path: string) =>
  fencedBlocks(readFileSync(join(root, path), 'utf8')).flatMap(({ text }) => text.split('\n'))

test('behavior: apps/docs/index.md contains only commands from the README, which `npmStart.test.ts` and `readme.test.ts` run', () => {
  const lines = blocksOf('apps/docs/index.md')
  expect(lines).not.toEqual([])
  const commands = blocksOf('README.md').map((line) => line.replace(/\s+#.*$/, ''))
  expect(commands).toEqual(expect.arrayContaining(lines))
})

test('behavior: the recording shows a real auction, and its text matches the terminal', () => {
  const { command, screens } = JSON.parse(readFileSync(join(root, 'apps/docs/recording.json'), 'utf8'))
  expect(command).toMatch(/^firmquote rfq --pool 1 --expiry \d{4}-\d{2}-\d{2} --notional 250k$/)
  const times = screens.map(({ atMs }: { atMs: number }) => atMs)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  // The recording covers the entire auction.
  expect(times.at(-1) - times[0]).toBeGreaterThan(14_000)
  expect(screens.at(-1).lines.slice(0, 4)).toEqual([
    expect.stringContaining('3 backers asked'),
    'closed: 3 quotes',
    expect.stringMatching(/^# +APR +EFF\. APY +COST +SIZE +MAKER/),
    expect.stringMatching(/^1 +\d+\.\d\d% +\d+\.\d\d% /),
  ])
})
