import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence with figures, links or other elements in it: the catalogue says where each of them stands. */
export function rich(words: TemplateStringsArray, ...inserted: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...words.flatMap((word, index) => [word, inserted[index]]))
}
