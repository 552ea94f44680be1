import { readFile } from 'node:fs/promises'
import type { DocsFiles } from './http/httpDoor.ts'

/** What the build puts beside the code: Swagger UI, packed, with its licences. */
const folder = new URL('../dist/docs/', import.meta.url)
const names = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const

/** Reads a file of the documentation page. A page is rarely asked for, so nothing is kept in memory. */
export const readDocsFile: DocsFiles = async (name) => {
  const known = names.find((own) => own === name)
  return known ? await readFile(new URL(`${known}.gz`, folder)) : null
}
