import { useHashLocation } from 'wouter/use-hash-location'

/** The address as wouter's router wants it, all of it in the fragment: the path, and by `searchHook` what follows a `?`. */
export function useHashRoute(): ReturnType<typeof useHashLocation> {
  const [fragment] = useHashLocation()
  return [fragment.split('?', 1)[0] ?? '/', navigate]
}

useHashRoute.searchHook = (): string => {
  const [fragment] = useHashLocation()
  return fragment.split('?').slice(1).join('?')
}

useHashRoute.hrefs = (href: string): string => `#${href}`

// wouter's own would put what follows a `?` in front of the fragment, where a server sees it.
function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) location.replace(`#${to}`)
  else location.assign(`#${to}`)
}
