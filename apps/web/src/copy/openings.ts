import type { Texts } from './en.ts'

/** How views begin, by their paths: what can be read before the page's script has run, and before the service has answered. */
export function openings({
  home,
  markets,
  curve,
  auction,
  history,
  openings,
}: Texts): Readonly<Record<string, { title: string; lead: string }>> {
  return {
    '/': { title: home.title, lead: home.lead },
    '/markets': { title: markets.title, lead: markets.lead },
    '/curve': { title: curve.title, lead: curve.lead },
    '/auction': { title: auction.title, lead: auction.lead },
    '/history': { title: history.title, lead: history.lead },
    '/how': openings.how,
    '/positions': openings.positions,
  }
}
