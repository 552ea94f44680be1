import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './pack.ts'

test('default: .nvmrc contains the major version of the Node that the workspace pins', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [major] = devDependencies.node.split('.')
  expect(readFileSync(join(root, '.nvmrc'), 'utf8')).toBe(`${major}\n`)
})
