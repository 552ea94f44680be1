/**
 * Writes the contracts' ABIs to docs/abi, for programs that do not use this package. A test compares the files with
 * src/abi.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { abis } from '../src/abi/index.ts'

const folder = join(import.meta.dirname, '../../../docs/abi')
mkdirSync(folder, { recursive: true })
for (const [name, abi] of Object.entries(abis)) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(abi, null, 2)}\n`)
}
