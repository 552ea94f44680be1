import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Smaller files fit one packet, so compression gains nothing. */
const packedFrom = 1_400
// From quality 9, the tables take 32 MiB per file and most of the time, and save less than 1 %.
const params = { [constants.BROTLI_PARAM_QUALITY]: 8, [constants.BROTLI_PARAM_LGWIN]: 18 }

/**
 * Writes `.gz` and `.br` copies of each text file that browsers load. Markdown is rarely requested. Compresses one file
 * at a time, since parallel compression is slowed down by its memory use.
 */
export function packFolder(folder: string): void {
  for (const name of globSync('**/*.{html,js,css,txt,svg}', { cwd: folder })) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    if (bytes.length < packedFrom) continue
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  }
}
