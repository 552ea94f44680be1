import { borrowers, devnetAddresses } from '@firmquote/devnet'
import { setOperatorParameters, takeQuoteParameters } from '@firmquote/sdk'
import { erc20Abi } from 'viem'
import { requestOf, requestOffer } from './demoMarket.ts'
import type { Demo } from './startDemo.ts'
import { type View, views } from './views.ts'

/** A view in a state that something has to happen for first, by requests to the service and the chain: no button is pressed. */
export type State = Omit<View, 'path'> & {
  /** Brings it about, and gives its address on the server. */
  path(demo: Demo): Promise<string>
}

const [borrower] = borrowers

/** Every view, and what a borrower goes through in it. All but the running auction stay as they are. */
export const states: readonly State[] = [
  ...views.map((view) => ({ ...view, path: async () => view.path })),
  { name: 'running auction', wallet: true, path: async (demo) => `/#/auction/${await startAuction(demo)}` },
  {
    name: 'closed auction',
    wallet: true,
    path: async (demo) => `/#/auction/${(await requestOffer(demo, borrower.address)).rfqId}`,
  },
  { name: 'offer', wallet: true, path: async (demo) => (await requestOffer(demo, borrower.address)).path },
  { name: 'open position', wallet: true, path: async (demo) => takeOffer(demo).then(() => '/') },
  { name: 'unknown offer', path: async () => `/#/quote/0x${'12'.repeat(32)}` },
  { name: 'unknown auction', path: async () => `/#/auction/${'ab'.repeat(16)}` },
  { name: 'unknown page', path: async () => '/#/nowhere' },
]

async function startAuction(demo: Demo): Promise<string> {
  const request = await requestOf(demo, borrower.address)
  for await (const event of demo.client.streamQuotes(request)) if (event.type === 'started') return event.data.rfqId
  throw new TypeError('the auction did not start')
}

/** Takes the best offer of an auction with the demo account's key, which the devnet gives away. */
async function takeOffer(demo: Demo): Promise<void> {
  const { quote } = (await requestOffer(demo, borrower.address)).quote
  const { loanToken: address, quoteMarket } = devnetAddresses
  const allowed = [quoteMarket, quote.vrtAmount] as const
  await demo.send(borrower, { address, abi: erc20Abi, functionName: 'approve', args: allowed })
  await demo.send(borrower, setOperatorParameters())
  await demo.send(borrower, takeQuoteParameters(quote))
}
