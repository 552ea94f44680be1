/** An audience of the site and its starting page. `otherwise` is used until the starting page exists. */
export type Reader = { title: string; wants: string; page: string; otherwise: string }

/** The four audiences, in the site's order. */
export const readers: readonly Reader[] = [
  {
    title: 'Borrower',
    wants: 'see what it costs to fix your rate, and do it in a browser',
    page: 'start/borrower.md',
    otherwise: 'packages/web.md',
  },
  {
    title: 'Dapp developer',
    wants: 'request quotes, check them and take one in code',
    page: 'start/dapp.md',
    otherwise: 'packages/sdk.md',
  },
  {
    title: 'Market maker',
    wants: 'answer requests with signed quotes, with or without code',
    page: 'start/maker.md',
    otherwise: 'packages/daemon.md',
  },
  {
    title: 'Operator',
    wants: 'run the service on one or more machines',
    page: 'start/operator.md',
    otherwise: 'operate/operating.md',
  },
]

/** Returns an audience's starting page. */
export function beginningOf({ page, otherwise }: Reader, paths: { has(path: string): boolean }): string {
  return paths.has(page) ? page : otherwise
}
