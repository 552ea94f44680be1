import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Whether a generator runs with `--check`, which compares files instead of writing them. */
export const isCheck = process.argv.includes('--check')

/**
 * Writes generated files into a folder that contains no other files. With `--check`, compares the files instead and
 * fails if they differ.
 *
 * @param files texts by file name
 */
export function writeGenerated(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true })
  const names = new Set([...readdirSync(folder), ...Object.keys(files)])
  for (const name of names) {
    const path = join(folder, name)
    const text = files[name]
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    if (!isCheck && text !== undefined) writeFileSync(path, text)
    if (!isCheck && text !== undefined) continue
    process.stderr.write(`${relative('', path)} is out of date. Run: npm run generate\n`)
    process.exitCode = 1
  }
}
