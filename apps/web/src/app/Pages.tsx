import { healthQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { getAddress, isAddress } from 'viem'
import { Route, Router, Switch } from 'wouter'
import { openings } from '../copy/openings.ts'
import { useTexts } from '../copy/words.ts'
import { LoadingView } from '../ui/LoadingView.tsx'
import { loadView } from '../ui/loadView.ts'
import { HomeView } from '../views/home/HomeView.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Footer } from './Footer.tsx'
import { Frame } from './Frame.tsx'
import { Header } from './Header.tsx'
import { judgeTrouble, type Signs } from './judgeTrouble.ts'
import { Opening } from './Opening.tsx'
import { ServiceState } from './ServiceState.tsx'
import { TroubleBanner } from './TroubleBanner.tsx'
import { useHashRoute } from './useHashRoute.ts'
import { viewFiles } from './viewFiles.ts'
import { WalletMenu } from './WalletMenu.tsx'

const MarketsView = loadView(async () => (await viewFiles['/markets']()).MarketsView)
const CurveView = loadView(async () => (await viewFiles['/curve']()).CurveView)
const AuctionView = loadView(async () => (await viewFiles['/auction/:rfqId']()).AuctionView)
const AcceptanceView = loadView(async () => (await viewFiles['/auction/:rfqId/:hash']()).AcceptanceView)
const HowView = loadView(async () => (await viewFiles['/how']()).HowView)
const HistoryView = loadView(async () => (await viewFiles['/history']()).HistoryView)
const PositionsView = loadView(async () => (await viewFiles['/positions']()).PositionsView)
const ContractsView = loadView(async () => (await viewFiles['/contracts']()).ContractsView)
const StatusView = loadView(async () => (await viewFiles['/status']()).StatusView)
const ProofsView = loadView(async () => (await viewFiles['/proofs']()).ProofsView)
const MakerView = loadView(async () => (await viewFiles['/maker/:address']()).MakerView)
const NotFoundView = loadView(async () => (await import('../views/notFound/NotFoundView.tsx')).NotFoundView)
const PositionView = loadView(async () => (await viewFiles['/position/:id']()).PositionView)

/** Milliseconds between attempts to reach an unresponsive service. */
const askAgainMs = 5_000

/** Renders this address's view inside the frame. */
export function Pages({ signs }: { signs: Omit<Signs, 'health'> }) {
  const [path] = useHashRoute()
  const { client } = useService()
  const health = useQuery({
    ...healthQuery(client),
    retry: false,
    ...(signs.outage && { refetchInterval: askAgainMs }),
  })
  useNewPage(path)
  return (
    <Frame
      header={
        <Header path={path}>
          <WalletMenu />
        </Header>
      }
      banner={<TroubleBanner trouble={judgeTrouble({ ...signs, health: health.data })} />}
      footer={
        <Footer>
          <ServiceState health={health.isError ? undefined : health.data} />
        </Footer>
      }
    >
      {/* The key resets the error when the visitor navigates. */}
      <ErrorBoundary key={path}>
        <Suspense
          fallback={
            <>
              <Opening />
              <LoadingView rows={6} what="page" />
            </>
          }
        >
          <Router hook={useHashRoute}>
            <Switch>
              <Route path="/" component={HomeView} />
              {/* The address of links from before home had the form. */}
              <Route path="/auction" component={HomeView} />
              <Route path="/markets" component={MarketsView} />
              <Route path="/curve" component={CurveView} />
              <Route path="/auction/:rfqId">{({ rfqId }) => <AuctionView key={rfqId} rfqId={rfqId} />}</Route>
              <Route path="/auction/:rfqId/:hash">
                {({ rfqId, hash }) => <AcceptanceView key={hash} rfqId={rfqId} hash={hash} />}
              </Route>
              <Route path="/quote/:hash">{({ hash }) => <AcceptanceView key={hash} hash={hash} />}</Route>
              <Route path="/positions" component={PositionsView} />
              <Route path="/position/:id">{({ id }) => <PositionView key={id} id={id} />}</Route>
              <Route path="/history" component={HistoryView} />
              <Route path="/how" component={HowView} />
              <Route path="/contracts" component={ContractsView} />
              <Route path="/status" component={StatusView} />
              <Route path="/proofs" component={ProofsView} />
              <Route path="/maker/:address">
                {({ address }) =>
                  isAddress(address, { strict: false }) ? (
                    <MakerView key={address} address={getAddress(address)} />
                  ) : (
                    <NotFoundView path={path} />
                  )
                }
              </Route>
              <Route>
                <NotFoundView path={path} />
              </Route>
            </Switch>
          </Router>
        </Suspense>
      </ErrorBoundary>
    </Frame>
  )
}

/** On navigation, scrolls to the top, sets the title and moves focus to the start of the page. */
function useNewPage(path: string): void {
  const texts = useTexts()
  const first = useRef(true)
  useEffect(() => {
    const { app } = texts
    const opening = openings(texts)[path]
    document.title = opening && path !== '/' ? app.title(opening.title) : app.name
    if (!first.current) {
      document.getElementById('main')?.focus({ preventScroll: true })
      scrollTo({ top: 0 })
    }
    first.current = false
  }, [path, texts])
}
