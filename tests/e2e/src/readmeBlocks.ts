import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fencedBlocks } from './docs/fencedBlocks.ts'
import { root } from './pack.ts'

/** A fenced block of a README that is meant to be run; `place` is its file and line. */
export type ReadmeBlock = { language: 'js' | 'sh'; text: string; place: string }

/** Every fenced `js` and `sh` block of a Markdown file. */
export function readmeBlocks(file: string): ReadmeBlock[] {
  return fencedBlocks(readFileSync(file, 'utf8')).flatMap(({ language, text, line }) =>
    language === 'js' || language === 'sh' ? [{ language, text, place: `${relative(root, file)}:${line}` }] : [],
  )
}
