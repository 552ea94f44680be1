import { EventEmitter, once } from 'node:events'
import type { ServiceClient } from '@firmquote/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { type Config, WagmiProvider } from 'wagmi'
import { FirmquoteProvider } from '../src/service/FirmquoteProvider.ts'

/** A hook in a mounted component. */
export type RenderedHook<Result> = ReturnType<typeof renderHook<Result>>

/** Mounts a component that calls a hook inside all of a dapp's providers. */
export function renderHook<Result>(useHook: () => Result, { wagmi, client }: { wagmi: Config; client: ServiceClient }) {
  const results: Result[] = []
  const changes = new EventEmitter()
  // biome-ignore lint/correctness/noComponentHookFactories: each call mounts its own tree.
  function Caller(): null {
    const result = useHook()
    results.push(result)
    changes.emit('result')
    return null
  }
  // Query timers must not outlive a test.
  const gcTime = Number.POSITIVE_INFINITY
  const queries = { retry: false, networkMode: 'always', gcTime } as const
  const cache = new QueryClient({ defaultOptions: { queries, mutations: { gcTime } } })
  const root = createRoot(document.createElement('div'))
  root.render(
    createElement(
      WagmiProvider,
      { config: wagmi, reconnectOnMount: false },
      createElement(
        QueryClientProvider,
        { client: cache },
        createElement(FirmquoteProvider, { client }, createElement(Caller)),
      ),
    ),
  )
  /** Returns the hook's latest result. */
  const current = () => {
    if (results.length === 0) throw new TypeError('The component has not rendered yet.')
    return results.at(-1) as Result
  }
  return {
    current,
    /** All results so far, in order. */
    results: results as readonly Result[],
    cache,
    /** Resolves with the first current or future result that satisfies `matches`. */
    async until(matches: (result: Result) => boolean): Promise<Result> {
      let from = Math.max(results.length - 1, 0)
      for (;;) {
        const found = results.slice(from).find(matches)
        if (found !== undefined) return found
        from = results.length
        await once(changes, 'result')
      }
    },
    unmount() {
      root.unmount()
      cache.clear()
    },
  }
}
