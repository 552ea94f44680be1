/** Modules of lazily loaded views, by route. */
export const viewFiles = {
  '/markets': () => import('../views/markets/MarketsView.tsx'),
  '/curve': () => import('../views/curve/CurveView.tsx'),
  '/auction/:rfqId': () => import('../views/auction/AuctionView.tsx'),
  '/auction/:rfqId/:hash': () => import('../views/acceptance/AcceptanceView.tsx'),
  '/quote/:hash': () => import('../views/acceptance/AcceptanceView.tsx'),
  '/positions': () => import('../views/position/PositionsView.tsx'),
  '/position/:id': () => import('../views/position/PositionView.tsx'),
  '/history': () => import('../views/history/HistoryView.tsx'),
  '/how': () => import('../views/how/HowView.tsx'),
  '/contracts': () => import('../views/contracts/ContractsView.tsx'),
  '/status': () => import('../views/status/StatusView.tsx'),
  '/proofs': () => import('../views/proofs/ProofsView.tsx'),
  '/maker/:address': () => import('../views/maker/MakerView.tsx'),
}

/** Returns the route in a fragment such as `#/curve?pool=…`, or undefined for home and unknown routes. Pure. */
export function routeOf(fragment: string): keyof typeof viewFiles | undefined {
  const [path = ''] = fragment.replace(/^#/, '').split('?', 1)
  const parts = path.split('/')
  const routes = Object.keys(viewFiles) as (keyof typeof viewFiles)[]
  return routes.find((route) => {
    const wanted = route.split('/')
    return (
      wanted.length === parts.length &&
      wanted.every((part, place) => (part.startsWith(':') ? parts[place] !== '' : part === parts[place]))
    )
  })
}

/**
 * Preloads the view for a fragment while the configuration loads. If the preload fails, the view itself reports the
 * error.
 */
export function beginView(fragment: string): void {
  const route = routeOf(fragment)
  if (route !== undefined) void viewFiles[route]().catch(() => {})
}
