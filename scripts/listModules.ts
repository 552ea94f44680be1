import { globSync } from 'node:fs'

/**
 * Lists a package's modules as tsup's entry points, by their names in the build. The list is sorted, because the order
 * of the entry points changes the chunks by some bytes, and tsup does not sort the files of a pattern.
 */
export function listModules(): Record<string, string> {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  return Object.fromEntries(files.sort().map((file) => [file.slice('src/'.length, -'.ts'.length), file]))
}
