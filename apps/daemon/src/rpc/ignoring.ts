/** What a file operation gives, or undefined when it fails with one of these system codes. */
export async function ignoring<T>(codes: readonly string[], operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
