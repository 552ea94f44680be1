import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPublished } from './programFiles.ts'

// The example of a borrower goes into the package.
const borrow = () => relative('', fileURLToPath(new URL('./borrow.mjs', import.meta.url)))

/** How the demo, and what it is made of, are called from where it runs. */
export const commands = {
  demo: isPublished ? 'npx @firmquote/demo' : 'npm start',
  cluster: isPublished ? 'npx @firmquote/demo --cluster' : 'npm start -- --cluster',
  firmquote: isPublished ? 'npx @firmquote/cli' : 'node scripts/run.mjs cli',
  borrow: isPublished ? `node ${borrow()}` : 'node scripts/run.mjs examples/borrower/borrow.mjs',
}
