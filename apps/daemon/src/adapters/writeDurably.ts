import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a private file. After a crash or a power failure at any point, the file has its old or its new content. Once
 * this resolves, it has the new content.
 */
export async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    // The file may be left from an interrupted write.
    await file.chmod(0o600)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
