import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the licenses of sources and everything they import, from their SPDX headers. */
function licensesOf(paths: readonly string[], seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  for (const path of paths) {
    if (seen.has(path)) continue
    seen.add(path)
    const source = read(path)
    found.add(/^\/\/ SPDX-License-Identifier: (\S+)/.exec(source)?.[1] ?? `none in ${path}`)
    const imports = [...source.matchAll(/^\s*(?:import|\}) ?(?:\{[^}]*\} from |from )?"([^"]+)";/gm)].map(
      ([, name = '']) => (name.startsWith('.') ? join(dirname(path), name) : join('node_modules', name)),
    )
    for (const license of licensesOf(imports, seen)) found.add(license)
  }
  return found
}

test('default: the licence of the package is that of every source in its bytecode', () => {
  const own = licensesOf(globSync('contracts/**/*.sol', { cwd: root }))
  const morpho = licensesOf(['node_modules/@morpho-org/morpho-blue/src/Morpho.sol'])
  expect(own).toEqual(new Set(['MIT']))
  expect(morpho).toEqual(new Set(['BUSL-1.1', 'GPL-2.0-or-later']))
  const { license } = JSON.parse(read('package.json'))
  expect(new Set(license.split(' AND '))).toEqual(new Set([...own, ...morpho]))
  expect(read('src/generated/morpho.ts')).toContain('SPDX-License-Identifier: BUSL-1.1 AND GPL-2.0-or-later (Morpho)')
  expect(read('src/generated/quoteMarket.ts')).toContain('SPDX-License-Identifier: MIT (QuoteMarket)')
})

test('behavior: the texts of the licences of others are in the package', () => {
  const texts = read('THIRD_PARTY_LICENSES')
  for (const title of ['The MIT License (MIT)', 'Business Source License 1.1', 'GNU GENERAL PUBLIC LICENSE']) {
    expect(texts).toContain(title)
  }
  expect(JSON.parse(read('package.json')).files).toContain('THIRD_PARTY_LICENSES')
})
