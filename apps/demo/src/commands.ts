import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPublished } from './programFiles.ts'

// The package includes the borrower example.
const borrow = () => relative('', fileURLToPath(new URL('./borrow.mjs', import.meta.url)))

/** Commands for the user to run, either from npm or in the repository. */
export const commands = {
  demo: isPublished ? 'npx @firmquote/demo' : 'npm start',
  cluster: isPublished ? 'npx @firmquote/demo --cluster' : 'npm start -- --cluster',
  firmquote: isPublished ? 'npx @firmquote/cli' : 'node scripts/run.mjs cli',
  borrow: isPublished ? `node ${borrow()}` : 'node scripts/run.mjs examples/borrower/borrow.mjs',
}
