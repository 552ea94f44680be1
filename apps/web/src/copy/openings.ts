import type { Texts } from './en.ts'

/** How views begin, by their paths: what can be read before the page's script has run, and before the service has answered. */
export function openings({ home, openings }: Texts): Readonly<Record<string, { title: string; lead: string }>> {
  return {
    '/': { title: home.title, lead: home.lead },
    '/markets': openings.markets,
    '/curve': openings.curve,
    '/history': openings.history,
    '/how': openings.how,
    '/positions': openings.positions,
    '/contracts': openings.contracts,
    '/status': openings.status,
    '/proofs': openings.proofs,
  }
}
