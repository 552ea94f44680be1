import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** What fits one packet gains nothing. */
const packedFrom = 1_400
// From 9 on, the tables of a file take 32 MiB and most of the time, for a file that is smaller by less than a hundredth.
const params = { [constants.BROTLI_PARAM_QUALITY]: 8, [constants.BROTLI_PARAM_LGWIN]: 18 }

/**
 * Puts the copies `.gz` and `.br` beside each text of a folder that browsers load; Markdown is asked for seldom. One file
 * after the other: many at once wait for the memory of each other's tables for longer than packing takes.
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
