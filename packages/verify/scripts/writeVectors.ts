/** Writes the test vectors of docs/protocol.md's proofs to docs/vectors. A test compares the file with this package. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildVectors } from '../test/buildVectors.ts'

const folder = join(import.meta.dirname, '../../../docs/vectors')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'proofs.json'), `${JSON.stringify(await buildVectors(), null, 2)}\n`)
