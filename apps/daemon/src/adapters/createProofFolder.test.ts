import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ConfigurationError } from '../errors.ts'
import { createProofFolder } from './createProofFolder.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'firmquote-proofs-')), 'proofs')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('createProofFolder', () => {
  test('default: saves files that only their owner can read', async () => {
    const path = await createProofFolder(folder, { maxBytes: 100 }).save('quote-1.json', 'text')
    expect([path, readFileSync(path, 'utf8')]).toEqual([join(folder, 'quote-1.json'), 'text'])
    expect([modeOf(folder), modeOf(path)]).toEqual([0o700, 0o600])
    expect(readdirSync(folder)).toEqual(['quote-1.json'])
  })

  test('behavior: deletes kept promises first, then refusals, then broken promises, oldest first', async () => {
    const { save } = createProofFolder(folder, { maxBytes: 40 })
    const names = ['omission-1', 'quote-1', 'refusal-1', 'quote-2', 'omission-2', 'unclosed-1', 'omission-3', 'quote-3']
    const kept: string[] = []
    for (const name of names) {
      await save(`${name}.json`, 'a'.repeat(10))
      kept.push(readdirSync(folder).sort().join().replaceAll('.json', ''))
    }
    expect(kept.slice(3)).toEqual([
      'omission-1,quote-1,quote-2,refusal-1',
      'omission-1,omission-2,quote-2,refusal-1',
      'omission-1,omission-2,refusal-1,unclosed-1',
      'omission-1,omission-2,omission-3,unclosed-1',
      // The newest file is never deleted.
      'omission-2,omission-3,quote-3,unclosed-1',
    ])
  })

  test('behavior: counts the files of earlier runs, and replaces a file of the same name', async () => {
    await createProofFolder(folder, { maxBytes: 30 }).save('quote-1.json', 'a'.repeat(10))
    writeFileSync(join(folder, 'quote-0.json'), 'a'.repeat(10))
    utimesSync(join(folder, 'quote-0.json'), 1, 1)
    const { save } = createProofFolder(folder, { maxBytes: 30 })
    await save('quote-1.json', 'b'.repeat(20))
    expect(readdirSync(folder).sort()).toEqual(['quote-0.json', 'quote-1.json'])
    await Promise.all([save('quote-2.json', 'b'), save('quote-3.json', 'b')])
    expect(readdirSync(folder).sort()).toEqual(['quote-1.json', 'quote-2.json', 'quote-3.json'])
  })

  test('error: a folder that is a file', () => {
    writeFileSync(folder, '')
    expect(() => createProofFolder(folder, { maxBytes: 1 })).toThrow(ConfigurationError)
  })
})
