/**
 * State of a page that runs {@link watchElements}. `moved` are the elements that appeared or disappeared, and
 * `flickers` is how many of them contained a placeholder or an error.
 */
export type Watched = { watched: { moved: string[]; flickers: number } }

/**
 * Watches elements appear and disappear. Ignores clocks, which only change their text. Sent to the page as text and run
 * there.
 */
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
