import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program of this folder, compiled for this run. */
export type Floor = { program: string; remove(): void }

/** Compiles `<name>.c` with the machine's `cc`; null when there is none or it refuses. */
export function compileFloor(name: string): Floor | null {
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-floor-'))
  const program = join(directory, name)
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url))
  const { status } = spawnSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' })
  if (status === 0) return { program, remove }
  remove()
  return null
}
