import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../service/queries.ts'
import { useService } from '../service/serviceContext.ts'
import { Notice } from '../ui/Notice.tsx'

/** A line above every view when something is wrong with the service; nothing when all is well. */
export function ServiceStatus() {
  const { client } = useService()
  const { data, isError } = useQuery({ ...healthQuery(client), retry: false })
  if (isError) {
    return (
      <Notice tone="warning" title="The service does not answer">
        <p>What you see is what it said last. The page asks again every few seconds.</p>
      </Notice>
    )
  }
  if (!data || data.status === 'ok') return null
  return (
    <Notice tone="warning" title={data.status === 'down' ? 'The service is down' : 'The service is degraded'}>
      <p>{describe(data)}</p>
    </Notice>
  )
}

function describe({
  database,
  sync,
  backers,
}: {
  database: string
  sync: { head: number | null; lagSeconds: number | null }
  backers: { connected: number }
}): string {
  if (database !== 'ok') return 'Its database does not answer.'
  if (sync.head === null) return 'It cannot read the chain, so it refuses quotes.'
  if (backers.connected === 0) return 'No maker is connected: an auction would stay empty.'
  return `It is behind the chain${sync.lagSeconds === null ? '' : ` by ${sync.lagSeconds} seconds`}.`
}
