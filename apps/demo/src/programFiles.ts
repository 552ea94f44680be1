import { fileURLToPath } from 'node:url'

/** Whether the demo runs from the published package. In the repository, everything runs from source. */
export const isPublished = import.meta.url.endsWith('.js')

const entry = isPublished ? './dist/main.js' : './src/main.ts'

/** Entry files of `firmquote-server`, `firmquote-daemon` and `firmquote`. */
export const programFiles = {
  server: entryOf(import.meta.resolve('@firmquote/server/package.json')),
  daemon: entryOf(import.meta.resolve('@firmquote/daemon/package.json')),
  cli: entryOf(import.meta.resolve('@firmquote/cli/package.json')),
}

function entryOf(manifest: string): string {
  return fileURLToPath(new URL(entry, manifest))
}
