/** Reads all pages of a list. */
export async function allPages<Page extends { nextCursor?: string | null }>(
  ask: (cursor: { cursor?: string }) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await ask({})]
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) pages.push(await ask({ cursor }))
  return pages
}
