import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Loaded } from '../ui/Loaded.tsx'

const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })

/** Shows a query with buttons that complete it after 100 or 200 ms, or leave it pending. */
export function LoadedExample() {
  const [asked, setAsked] = useState({ name: 'quick', time: 0 })
  return (
    <QueryClientProvider client={client}>
      <p>
        {['quick', 'slow', 'failing'].map((name) => (
          <Button key={name} onClick={() => setAsked(({ time }) => ({ name, time: time + 1 }))}>
            Ask: {name}
          </Button>
        ))}
      </p>
      {asked.time > 0 && <Asked key={asked.time} {...asked} />}
    </QueryClientProvider>
  )
}

function Asked({ name, time }: { name: string; time: number }) {
  const query = useQuery({
    queryKey: [name, time],
    queryFn: async () => {
      await new Promise((resolve) => setTimeout(resolve, name === 'quick' ? 100 : 200))
      if (name === 'failing') throw new Error('It fails each time.')
      return `The ${name} answer`
    },
    refetchInterval: name === 'failing' ? 1_000 : false,
  })
  return (
    <div data-example={name}>
      <Loaded query={query} what="offers" rows={2}>
        {(text) => <p>{text}</p>}
      </Loaded>
    </div>
  )
}
