/**
 * State of a page that runs {@link watchElements}. `moved` lists the elements that appeared or disappeared, and
 * `flickers` counts those that contained a placeholder or an error.
 */
export type Watched = { watched: { moved: string[]; flickers: number } }

/**
 * Watches elements appear and disappear. Ignores clocks, since only their text changes. This function is sent to the
 * page as text and runs there.
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
