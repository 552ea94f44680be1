import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fencedBlocks } from './docs/fencedBlocks.ts'
import { root } from './pack.ts'

/** Returns all runnable `js` and `sh` blocks in a Markdown file. `place` is the block's file and line. */
export function readmeBlocks(file: string) {
  const blocks = fencedBlocks(readFileSync(file, 'utf8')).filter(({ language }) => /^(?:js|sh)$/.test(language))
  return blocks.map(({ language, text, line }) => ({ language, text, place: `${relative(root, file)}:${line}` }))
}
