/**
 * In a page that runs {@link watchElements}: elements that appeared or disappeared, and how many of them contained a
 * placeholder or an error.
 */
export type Watched = { watched: { moved: string[]; flickers: number } }

/** Runs in the page, sent there as text: watches elements appear and disappear. Clocks only change their text. */
export function watchElements(): void {
  const watched: Watched['watched'] = { moved: [], flickers: 0 }
  Object.assign(globalThis, { watched } satisfies Watched)
  const passing = '[aria-busy="true"], [role="alert"]'
  new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes, target } of changes) {
      for (const node of [...addedNodes, ...removedNodes]) {
        if (!(node instanceof Element)) continue
        watched.moved.push(`${node.outerHTML.slice(0, 80)} in ${(target as Element).className}`)
        if (node.matches(passing) || node.querySelector(passing)) watched.flickers += 1
      }
    }
  }).observe(document.body, { childList: true, subtree: true })
}
