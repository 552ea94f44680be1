import { join } from 'node:path'
import { expect } from '@jest/globals'
import { root } from '../pack.ts'
import { readmeBlocks } from '../readmeBlocks.ts'

/**
 * Returns the commands in an example's README, line by line, as typed in the repository root. Omits the first command,
 * `npm start`, which a test replaces with its own stack.
 */
export function exampleCommands(name: string): string[] {
  const [block] = readmeBlocks(join(root, 'examples', name, 'README.md'))
  const [first, ...commands] = (block?.text ?? '').split('\n')
  expect(first).toBe('npm start')
  return commands
}
