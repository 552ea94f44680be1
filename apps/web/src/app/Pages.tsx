import { Suspense, useEffect, useRef } from 'react'
import { Route, Router, Switch } from 'wouter'
import { pages } from '../routes.ts'
import { Skeleton } from '../ui/Loaded.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { OverviewView } from '../views/overview/OverviewView.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'
import { Header } from './Header.tsx'
import { loadView } from './loadView.ts'
import { ServiceStatus } from './ServiceStatus.tsx'
import { useHashRoute } from './useHashRoute.ts'
import { WalletMenu } from './WalletMenu.tsx'

const CurveView = loadView(async () => (await import('../views/curve/CurveView.tsx')).CurveView)
const AuctionFormView = loadView(async () => (await import('../views/auction/AuctionFormView.tsx')).AuctionFormView)
const AuctionView = loadView(async () => (await import('../views/auction/AuctionView.tsx')).AuctionView)
const AcceptanceView = loadView(async () => (await import('../views/acceptance/AcceptanceView.tsx')).AcceptanceView)
const HistoryView = loadView(async () => (await import('../views/history/HistoryView.tsx')).HistoryView)

/** The view that the address names, within the frame. */
export function Pages() {
  const [path] = useHashRoute()
  useNewPage(path)
  return (
    <Frame
      header={
        <Header path={path}>
          <WalletMenu />
        </Header>
      }
    >
      <ServiceStatus />
      {/* Another page is another chance. */}
      <ErrorBoundary key={path}>
        <Suspense fallback={<Skeleton rows={6} what="the page" />}>
          <Router hook={useHashRoute}>
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
      </ErrorBoundary>
    </Frame>
  )
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
