import { ConnectionError, InvalidResponseError, ServiceError } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { watchOutages } from './outageWatch.ts'

const gone = new ConnectionError('It broke.', { sent: 'no' })

function watched() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const watch = watchOutages(client.getQueryCache())
  let changes = 0
  watch.subscribe(() => {
    changes += 1
  })
  /** Creates a query that fails with the error in `next`, or succeeds if `next` is null. */
  const ask = (name: string) => {
    const question = { next: null as Error | null }
    const observer = new QueryObserver(client, {
      queryKey: [name],
      queryFn: () => (question.next ? Promise.reject(question.next) : Promise.resolve(name)),
      enabled: false,
    })
    const leave = observer.subscribe(() => {})
    const fetch = async (next: Error | null) => {
      question.next = next
      await observer.refetch()
    }
    const answersNext = () => {
      question.next = null
    }
    return { fetch, answersNext, leave }
  }
  return { client, watch, ask, changes: () => changes }
}

test('default: it lasts until each question has an answer, and does not come and go in between', async () => {
  const { client, watch, ask, changes } = watched()
  const [health, pools] = [ask('health'), ask('pools')]
  expect(watch.current()).toBeNull()
  await health.fetch(gone)
  expect(watch.current()).toEqual({ answeredAt: null })
  await health.fetch(gone)
  await pools.fetch(gone)
  await health.fetch(null)
  expect(watch.current()).toEqual({ answeredAt: null })
  expect(changes()).toBe(1)
  await pools.fetch(null)
  expect([watch.current(), changes()]).toEqual([null, 2])
  client.clear()
})

test('behavior: with the first answer what has none is asked again at once', async () => {
  const { client, watch, ask } = watched()
  const [health, pools] = [ask('health'), ask('pools')]
  await health.fetch(gone)
  await pools.fetch(gone)
  pools.answersNext()
  await health.fetch(null)
  await new Promise((resolve) => setTimeout(resolve))
  expect(watch.current()).toBeNull()
  client.clear()
})

test('behavior: so is what has lost its answer after that, with the next one of any question', async () => {
  const { client, watch, ask } = watched()
  const [health, pools] = [ask('health'), ask('pools')]
  await health.fetch(null)
  await pools.fetch(gone)
  pools.answersNext()
  client.setQueryData(['health'], 'health')
  await new Promise((resolve) => setTimeout(resolve))
  expect(watch.current()).not.toBeNull()
  await health.fetch(null)
  await new Promise((resolve) => setTimeout(resolve))
  expect(watch.current()).toBeNull()
  client.clear()
})

test('behavior: what is shown is as old as the oldest answer that could not be renewed', async () => {
  const { client, watch, ask } = watched()
  const [health, pools] = [ask('health'), ask('pools')]
  await pools.fetch(null)
  client.setQueryData(['pools'], 'pools', { updatedAt: 1_000 })
  client.setQueryData(['health'], 'health', { updatedAt: 2_000 })
  await health.fetch(gone)
  expect(watch.current()).toEqual({ answeredAt: 2_000 })
  await pools.fetch(gone)
  expect(watch.current()).toEqual({ answeredAt: 1_000 })
  client.clear()
})

test.each([
  ['a refusal', new ServiceError('OVERLOADED', 'No.', { status: 503 }), false],
  ['the answer of a proxy', new InvalidResponseError('Not JSON.', { status: 502 }), true],
  ['an answer that cannot be read', new InvalidResponseError('Not JSON.', { status: 200 }), false],
])('behavior: %s', async (_, error, isOutage) => {
  const { client, watch, ask } = watched()
  await ask('pools').fetch(error)
  expect(watch.current() !== null).toBe(isOutage)
  client.clear()
})

test('behavior: what is not asked any more does not count', async () => {
  const { client, watch, ask } = watched()
  const pools = ask('pools')
  await pools.fetch(gone)
  expect(watch.current()).not.toBeNull()
  pools.leave()
  expect(watch.current()).toBeNull()
  client.clear()
})
