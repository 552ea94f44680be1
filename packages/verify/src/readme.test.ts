import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLog, runAuction } from '../test/proofFixture.ts'
import * as verify from './index.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

useFolder(beforeAll, afterAll)

test('default: the example verifies a file', async () => {
  const log = createLog()
  const auction = await runAuction(log, [400n])
  const file = join(folder, 'proof.json')
  writeFileSync(file, verify.formatProof(auction.auctionProof(auction.close())))
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const args = ['--conditions=@firmquote/source', '--input-type=module', '-e', code.replace('proof.json', file)]
  const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(output).toContain('proved: The best quotes are those that the published rules choose.\n')
})

test('behavior: names all functions, records and errors', () => {
  const missing = Object.keys(verify).filter((name) => !readme.includes(`\`${name}\``))
  expect(missing).toEqual([])
})
