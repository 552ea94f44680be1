/** Applies `change` to a page's text outside fenced blocks and code spans. */
export function outsideCode(markdown: string, change: (text: string) => string): string {
  const code = /(^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2 *$|(`+)(?!`)[^\n]*?[^`]\3(?!`))/m
  let rest = markdown
  let result = ''
  for (let found = code.exec(rest); found; found = code.exec(rest)) {
    result += change(rest.slice(0, found.index)) + found[0]
    rest = rest.slice(found.index + found[0].length)
  }
  return result + change(rest)
}
