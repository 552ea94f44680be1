import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import type { ProofFiles } from '../ports/proofFiles.ts'
import { writeDurably } from './writeDurably.ts'

/**
 * Opens a folder of proof files that only its owner can read. When the files exceed the limit, the folder deletes the
 * oldest proofs of kept promises, then of refusals, and only then of broken promises.
 *
 * @param maxBytes maximum total size of the files.
 * @throws {ConfigurationError} if the folder cannot be created or read.
 */
export function createProofFolder(folder: string, { maxBytes }: { maxBytes: number }): ProofFiles {
  /** Sizes in bytes by name, oldest first. */
  const files = listFiles(folder)
  /** Writes are serialized, so that two of them cannot delete the same files. */
  let writing: Promise<unknown> = Promise.resolve()

  async function write(name: string, text: string): Promise<string> {
    const path = join(folder, name)
    await writeDurably(path, text)
    files.delete(name)
    files.set(name, Buffer.byteLength(text))
    for (const old of excess(files, maxBytes, name)) {
      await rm(join(folder, old), { force: true })
      files.delete(old)
    }
    return path
  }

  return {
    save(name, text) {
      const saved = writing.then(() => write(name, text))
      writing = saved.catch(() => {})
      return saved
    },
  }
}

/** Names to delete, so that the files fit. Never the newest one. */
function excess(files: ReadonlyMap<string, number>, maxBytes: number, newest: string): string[] {
  let total = [...files.values()].reduce((sum, size) => sum + size, 0)
  const value = (name: string) => (name.startsWith('quote-') ? 0 : name.startsWith('refusal-') ? 1 : 2)
  const names: string[] = []
  if (total <= maxBytes) return names
  const candidates = [...files].filter(([name]) => name !== newest)
  for (const [name, size] of candidates.sort(([a], [b]) => value(a) - value(b))) {
    if (total <= maxBytes) break
    total -= size
    names.push(name)
  }
  return names
}

function listFiles(folder: string): Map<string, number> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const stats = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, ...statSync(join(folder, name)) }))
    return new Map(stats.sort((a, b) => a.mtimeMs - b.mtimeMs).map(({ name, size }) => [name, size]))
  } catch (cause) {
    throw new ConfigurationError(`Cannot use the folder ${folder} for proofs; set proofs.folder to another one.`, {
      cause,
    })
  }
}
