/** A view of the web client: a name for files and tests, and its address on the server. */
export type View = {
  name: string
  path: string
  /** Shows what belongs to an account: a wallet is connected first. */
  wallet?: boolean
}

/** Every view that can be opened without anything having happened before. */
export const views: readonly View[] = [
  { name: 'home', path: '/' },
  { name: 'positions', path: '/', wallet: true },
  { name: 'markets', path: '/#/markets' },
  { name: 'curve', path: '/#/curve' },
  { name: 'auction', path: '/#/auction', wallet: true },
  { name: 'history', path: '/#/history' },
  { name: 'how', path: '/#/how' },
]
