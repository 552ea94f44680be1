import { ServiceClient } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { QueryClient } from '@tanstack/react-query'
import { quoteBookQuery } from './quoteBookQuery.ts'

const poolId = `0x${'22'.repeat(32)}` as const

/** Creates a service with the given number of empty pages of quotes. Records the requests it receives. */
function serviceOf(pages: number) {
  const asked: URLSearchParams[] = []
  const fetch = async (input: string | URL | Request) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/config')) return new Response('', { status: 404 })
    asked.push(searchParams)
    const page = Number(searchParams.get('cursor') ?? 1)
    return Response.json({ quotes: [], nextCursor: page < pages ? String(page + 1) : null })
  }
  return { asked, client: new ServiceClient({ orderbookUrl: 'http://service.test' }, { fetch }) }
}

test('default: every page is read, best first', async () => {
  const { asked, client } = serviceOf(3)
  const book = await new QueryClient().fetchQuery(quoteBookQuery(client, poolId))
  expect(book).toEqual({ quotes: [], more: false })
  expect(asked.map((query) => query.get('cursor'))).toEqual([null, '2', '3'])
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ poolId, sort: 'rate', limit: '100' })
})

test('behavior: a book without end is read up to a point, and says so', async () => {
  const { asked, client } = serviceOf(1_000)
  expect(await new QueryClient().fetchQuery(quoteBookQuery(client, poolId))).toEqual({ quotes: [], more: true })
  expect(asked).toHaveLength(5)
})
