import type { Page } from 'playwright-core'

/** What a page asks its server for from now on. */
export type Requests = {
  /** Method and path, one for each request so far; without those to the devnet's node, which a wallet makes itself elsewhere. */
  asked: string[]
  /** Those of the service's answers with 1,400 bytes or more that came without compression. */
  uncompressed(): Promise<string[]>
}

/** Starts to write them down. */
export function watchRequests(page: Page): Requests {
  const asked: string[] = []
  const large: Promise<string | null>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/devnet/')) return
    asked.push(`${response.request().method()} ${pathname}`)
    if (response.headers()['content-encoding'] !== undefined || !response.ok()) return
    // A body is gone where its page is.
    const length = response.body().then(
      (body) => body.length,
      () => 0,
    )
    large.push(length.then((bytes) => (bytes >= 1_400 ? `${pathname} (${bytes} bytes)` : null)))
  })
  return {
    asked,
    uncompressed: async () => (await Promise.all(large)).filter((found) => found !== null),
  }
}
