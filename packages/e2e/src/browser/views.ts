/** A view of the web client: a name for files and tests, and its address on the server. */
export type View = { name: string; path: string }

/** Every view that is tested for accessibility and drawn by `scripts/screenshots.ts`. */
export const views: readonly View[] = [
  { name: 'home', path: '/' },
  { name: 'curve', path: '/#/curve' },
  { name: 'auction', path: '/#/auction' },
  { name: 'history', path: '/#/history' },
]
