import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Minimum size for compression, in bytes. Smaller files fit into one packet even without compression. */
const packedFrom = 1_400
// At quality 9 and above, Brotli's tables use 32 MiB per file and account for most of the run time, but reduce the size
// by less than 1 %.
const params = { [constants.BROTLI_PARAM_QUALITY]: 8, [constants.BROTLI_PARAM_LGWIN]: 18 }

/**
 * Writes `.gz` and `.br` copies of each text file that browsers load. Skips Markdown, which is rarely requested.
 * Compresses one file at a time, because parallel compression uses so much memory that it is slower.
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
