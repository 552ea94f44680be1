import { fileURLToPath } from 'node:url'

/** The files that `firmquote-server`, `firmquote-daemon` and `firmquote` run, as they are built here. */
export const programFiles = {
  server: beside(import.meta.resolve('@firmquote/server')),
  daemon: beside(import.meta.resolve('@firmquote/daemon')),
  cli: beside(import.meta.resolve('@firmquote/cli')),
}

function beside(entry: string): string {
  return fileURLToPath(new URL('./main.js', entry))
}
