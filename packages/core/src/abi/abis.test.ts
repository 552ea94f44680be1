import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import * as core from '../index.ts'
import { abis } from './index.ts'

const folder = new URL('../../../../docs/abi/', import.meta.url)

test('behavior: docs/abi has the ABIs of src/abi; `pnpm --filter @firmquote/core run abis` writes them', () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(abis)
      .map((name) => `${name}.json`)
      .sort(),
  )
  for (const [name, abi] of Object.entries(abis)) {
    expect([name, JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))]).toEqual([name, abi])
  }
})

test('behavior: every ABI that the package exports is among them', () => {
  const exported = Object.keys(core).filter((name) => name.endsWith('Abi'))
  expect(
    Object.keys(abis)
      .map((name) => `${name}Abi`)
      .sort(),
  ).toEqual(exported.sort())
})
