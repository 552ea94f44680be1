import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './pack.ts'

/** A fenced block of a README that is meant to be run. */
export type ReadmeBlock = {
  language: 'js' | 'sh'
  text: string
  /** The file and line where it stands. */
  place: string
}

/** Every fenced `js` and `sh` block of a Markdown file. */
export function readmeBlocks(file: string): ReadmeBlock[] {
  const blocks: ReadmeBlock[] = []
  let open: { fence: string; language: string; line: number; lines: string[] } | undefined
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((text, index) => {
      if (open) {
        if (text.trim() !== open.fence) {
          open.lines.push(text)
          return
        }
        const { language, lines, line } = open
        if (language === 'js' || language === 'sh') {
          blocks.push({ language, text: lines.join('\n'), place: `${relative(root, file)}:${line}` })
        }
        open = undefined
        return
      }
      const [, fence, language] = /^\s*(`{3,})(\w*)$/.exec(text) ?? []
      if (fence) open = { fence, language: language ?? '', line: index + 1, lines: [] }
    })
  return blocks
}
