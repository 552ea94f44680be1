import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { buildVectors } from '../test/buildVectors.ts'
import { checkVectors, type Vectors } from '../test/checkVectors.ts'
import type { Layout } from './record.ts'
import * as structures from './structures.ts'

const vectors: Vectors = JSON.parse(readFileSync(new URL('../../../docs/vectors/proofs.json', import.meta.url), 'utf8'))

test('behavior: docs/vectors has the vectors; `pnpm --filter @firmquote/verify run vectors` writes them', async () => {
  expect(await buildVectors()).toEqual(vectors)
})

test('default: every vector is verified, and every mutation refused for its reason', async () => {
  await checkVectors(vectors)
  const kinds = new Set(vectors.mutations.map(({ of }) => of))
  expect([...kinds].sort()).toEqual(['checkpoint', 'file', 'logProof', 'receipt', 'record', 'tile'])
  for (const { reason } of vectors.mutations) expect(reason).toMatch(/^[A-Z0-9][^\n]*[.]$/)
})

const protocol = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8')

/** The rows of a section's first table, without its heading and backticks. */
function rowsOf(heading: string): string[][] {
  const [, text = ''] = protocol.split(`\n### ${heading}\n`)
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text) ?? []
  const rows = table.replaceAll('`', '').trimEnd().split('\n').slice(2)
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('behavior: docs/protocol.md has the fields of every record', () => {
  const kinds = Object.entries(structures).flatMap(([name, value]) =>
    'kind' in value ? [[String(value.kind), name, fieldsOf(value.layout)]] : [],
  )
  kinds.sort(([a], [b]) => Number(a) - Number(b))
  expect(rowsOf('Records')).toEqual(kinds)
  expect(vectors.records.map(({ kind }) => String(kind))).toEqual(kinds.map(([kind]) => kind))
})

test('behavior: docs/protocol.md has the keys of every file, in their order', () => {
  const files = vectors.files.map((text) => {
    const { type, ...others } = JSON.parse(text)
    return [type, Object.keys(others).join(', ')]
  })
  expect(rowsOf('Proof files').map(([type, keys]) => [type, keys])).toEqual(files)
})

function fieldsOf(layout: Layout): string {
  return Object.entries(layout)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
}
