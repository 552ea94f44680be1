import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Minimum size for compression, in bytes. Smaller files fit into one packet even without compression. */
const packedFrom = 1_400
// At quality 9 and above, Brotli's tables use 32 MiB per file and account for most of the run time, but reduce the size
// by less than 1 %.
const params = { [constants.BROTLI_PARAM_QUALITY]: 8, [constants.BROTLI_PARAM_LGWIN]: 18 }

/** Licences of bundled code, which people and the release read in the package. */
const licences = 'THIRD_PARTY_LICENSES.txt'

/**
 * Copies a folder, and replaces each large text file `x` by its Brotli form `x.br`. The server restores the other
 * encodings. Compresses one file at a time, because parallel compression uses so much memory that it is slower.
 */
export function packFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const name of globSync('**/*.{html,js,css,txt,svg,md}', { cwd: to })) {
    const file = join(to, name)
    const bytes = readFileSync(file)
    if (name === licences || bytes.length < packedFrom) continue
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    rmSync(file)
  }
}
