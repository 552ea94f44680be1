import parse from 'spdx-expression-parse'

/** Licences allowed for bundled packages, as SPDX identifiers. They require at most attribution. */
export const allowedLicences = [
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense', 'CC0-1.0'],
  'OFL-1.1',
]

/**
 * Returns the licences that apply to a bundled package, given its SPDX expression. For a disjunction, returns the first
 * allowed one. For a conjunction, returns all the licences.
 *
 * @returns undefined if a required licence is unknown or not allowed
 */
export function chooseLicences(expression: string): string[] | undefined {
  try {
    return choose(parse(expression))
  } catch {
    return undefined
  }
}

function choose(node: parse.Info): string[] | undefined {
  if ('conjunction' in node) {
    const [left, right] = [choose(node.left), choose(node.right)]
    if (node.conjunction === 'or') return left ?? right
    return left && right && [...new Set([...left, ...right])]
  }
  return allowedLicences.includes(node.license) && !node.plus && node.exception === undefined
    ? [node.license]
    : undefined
}
