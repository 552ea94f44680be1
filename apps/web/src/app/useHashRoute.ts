import { useHashLocation } from 'wouter/use-hash-location'

/** A location hook for wouter that reads the path from the fragment and, through `searchHook`, the query. */
export function useHashRoute(): ReturnType<typeof useHashLocation> {
  const [fragment] = useHashLocation()
  return [fragment.split('?', 1)[0] ?? '/', navigate]
}

useHashRoute.searchHook = (): string => {
  const [fragment] = useHashLocation()
  return fragment.split('?').slice(1).join('?')
}

useHashRoute.hrefs = (href: string): string => `#${href}`

// wouter's own hook puts the query before the fragment, which exposes it to the server.
function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) location.replace(`#${to}`)
  else location.assign(`#${to}`)
}
