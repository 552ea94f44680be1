import { backers, devnetAddresses, newcomers } from '@firmquote/devnet'
import { setOperatorParameters, takeQuoteParameters } from '@firmquote/sdk'
import { erc20Abi } from 'viem'
import { requestOf, requestOffer, startAuction } from './demoMarket.ts'
import type { Demo } from './startDemo.ts'

/**
 * A view of the web app. `name` is used in file names and test titles, and `wallet` is whether to connect a wallet
 * first.
 */
export type View = { name: string; path: string; wallet?: boolean }

/** All views that require no preparation. */
export const views: readonly View[] = [
  { name: 'home', path: '/' },
  { name: 'positions', path: '/', wallet: true },
  { name: 'markets', path: '/#/markets' },
  { name: 'curve', path: '/#/curve' },
  { name: 'history', path: '/#/history' },
  { name: 'how', path: '/#/how' },
  { name: 'contracts', path: '/#/contracts', wallet: true },
  { name: 'status', path: '/#/status' },
  { name: 'proofs', path: '/#/proofs' },
  { name: 'maker', path: `/#/maker/${backers[0].address}` },
]

/**
 * A view in a state prepared by requests to the service or the chain. `path` sends the preparatory requests and returns
 * the view's path.
 */
export type State = Omit<View, 'path'> & { path(demo: Demo): Promise<string> }

// The demo account.
const [borrower] = newcomers
const unasked = (name: string, path: string) => ({ name, path: async () => path })

/** All views, and every state that a borrower can reach. All states are stable except for the running auction. */
export const states: readonly State[] = [
  ...views.map((view) => ({ ...view, path: async () => view.path })),
  {
    name: 'running auction',
    wallet: true,
    path: async (demo) => `/#/auction/${await startAuction(demo, await requestOf(demo, borrower.address))}`,
  },
  {
    name: 'closed auction',
    wallet: true,
    path: async (demo) => `/#/auction/${(await requestOffer(demo, borrower.address)).rfqId}`,
  },
  { name: 'offer', wallet: true, path: async (demo) => (await requestOffer(demo, borrower.address)).path },
  { name: 'open position', wallet: true, path: async (demo) => takeOffer(demo).then(() => '/') },
  unasked('unknown offer', `/#/quote/0x${'12'.repeat(32)}`),
  unasked('unknown auction', `/#/auction/${'ab'.repeat(16)}`),
  unasked('unknown page', '/#/nowhere'),
]

/** Takes an auction's best offer using the demo account's key, which is public. */
async function takeOffer(demo: Demo): Promise<void> {
  const { quote } = (await requestOffer(demo, borrower.address)).quote
  const { loanToken: address, quoteMarket } = devnetAddresses
  const allowed = [quoteMarket, quote.vrtAmount] as const
  await demo.send(borrower, { address, abi: erc20Abi, functionName: 'approve', args: allowed })
  await demo.send(borrower, setOperatorParameters())
  await demo.send(borrower, takeQuoteParameters(quote))
}
