import { type Child, startChild } from './startChild.ts'
import { createTemporaryDirectory } from './temporaryDirectory.ts'

/** Starts a program with an empty directory for its database, which goes with it. */
export async function startOnDatabase(
  file: string,
  environment: (directory: string) => Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<Child> {
  const directory = createTemporaryDirectory()
  try {
    const child = await startChild(file, { env: environment(directory.path), nodeOptions })
    const stop = async () => {
      await child.stop()
      directory.remove()
    }
    return { ...child, stop }
  } catch (error) {
    directory.remove()
    throw error
  }
}
