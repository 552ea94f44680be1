import { join } from 'node:path'
import { expect } from '@jest/globals'
import { root } from '../pack.ts'
import { readmeBlocks } from '../readmeBlocks.ts'

/**
 * The commands of an example's README, line by line, as a reader types them in the root of the repository. The first one is
 * `npm start`, in whose place a test has a stack of its own; it is left out.
 */
export function exampleCommands(name: string): string[] {
  const [block] = readmeBlocks(join(root, 'examples', name, 'README.md'))
  const [first, ...commands] = (block?.text ?? '').split('\n')
  expect(first).toBe('npm start')
  return commands
}
