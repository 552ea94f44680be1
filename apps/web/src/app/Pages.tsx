import { lazy, Suspense, useEffect, useRef } from 'react'
import { type BaseLocationHook, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { pages } from '../routes.ts'
import { Skeleton } from '../ui/Loaded.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { OverviewView } from '../views/overview/OverviewView.tsx'
import { Frame } from './Frame.tsx'
import { Header } from './Header.tsx'
import { ServiceLine } from './ServiceLine.tsx'
import { WalletMenu } from './WalletMenu.tsx'

const CurveView = lazy(() => import('../views/curve/CurveView.tsx').then((file) => ({ default: file.CurveView })))
const AuctionFormView = lazy(() =>
  import('../views/auction/AuctionFormView.tsx').then((file) => ({ default: file.AuctionFormView })),
)
const AuctionView = lazy(() =>
  import('../views/auction/AuctionView.tsx').then((file) => ({ default: file.AuctionView })),
)
const AcceptanceView = lazy(() =>
  import('../views/acceptance/AcceptanceView.tsx').then((file) => ({ default: file.AcceptanceView })),
)
const HistoryView = lazy(() =>
  import('../views/history/HistoryView.tsx').then((file) => ({ default: file.HistoryView })),
)

/** The view that the address names, within the frame. */
export function Pages() {
  const [path] = useHashPath()
  useNewPage(path)
  return (
    <Frame
      header={
        <Header path={path}>
          <WalletMenu />
        </Header>
      }
    >
      <ServiceLine />
      <Suspense fallback={<Skeleton rows={6} what="the page" />}>
        <Router hook={useHashPath} searchHook={useHashSearch}>
          <Switch>
            <Route path="/" component={OverviewView} />
            <Route path="/curve" component={CurveView} />
            <Route path="/auction" component={AuctionFormView} />
            <Route path="/auction/:rfqId">{({ rfqId }) => <AuctionView key={rfqId} rfqId={rfqId} />}</Route>
            <Route path="/auction/:rfqId/:hash">
              {({ rfqId, hash }) => <AcceptanceView key={hash} rfqId={rfqId} hash={hash} />}
            </Route>
            <Route path="/quote/:hash">{({ hash }) => <AcceptanceView key={hash} hash={hash} />}</Route>
            <Route path="/history" component={HistoryView} />
            <Route>
              <EmptyState title="There is no such page" action={<a href="#/">Back to the start</a>} />
            </Route>
          </Switch>
        </Router>
      </Suspense>
    </Frame>
  )
}

/** The fragment's path alone: a route knows nothing of what follows the question mark. */
const useHashPath = (() => {
  const [location, navigate] = useHashLocation()
  return [location.split('?')[0] ?? '/', navigate]
}) satisfies BaseLocationHook

/** What follows it, for `useSearch`. */
function useHashSearch(): string {
  return useHashLocation()[0].split('?')[1] ?? ''
}

/** A new page starts at its top, under its own title, and with the focus at its beginning. */
function useNewPage(path: string): void {
  const first = useRef(true)
  useEffect(() => {
    const page = pages.find((known) => known.path === path)
    document.title = page && path !== '/' ? `${page.title} · Firmquote` : 'Firmquote'
    if (!first.current) {
      document.getElementById('main')?.focus({ preventScroll: true })
      scrollTo({ top: 0 })
    }
    first.current = false
  }, [path])
}
