import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programFiles } from './programFiles.ts'

// The sources run in the repository, what they are built to is published.
const isPublished = import.meta.url.endsWith('.js')
const pathTo = (file: string) => relative('', file)
// The example of a borrower goes into the package.
const borrow = new URL(isPublished ? './borrow.mjs' : '../../../examples/borrower/borrow.mjs', import.meta.url)

/** How the demo, and what it is made of, are called from where it runs. */
export const commands = {
  demo: isPublished ? 'npx @firmquote/demo' : 'npm start',
  cluster: isPublished ? 'npx @firmquote/demo --cluster' : 'npm start -- --cluster',
  firmquote: isPublished ? 'npx @firmquote/cli' : `node ${pathTo(programFiles.cli)}`,
  borrow: `node ${pathTo(fileURLToPath(borrow))}`,
}
