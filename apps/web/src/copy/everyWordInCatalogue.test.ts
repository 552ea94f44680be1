import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import ts from 'typescript'

// No word that a person reads stands outside of the catalogue: another language would miss it.

const source = fileURLToPath(new URL('../', import.meta.url))
// The demo's wallet names itself, as every wallet does; the gallery is no part of the page that is served.
const isCode = (path: string) =>
  /\.tsx?$/.test(path) &&
  !/\.(?:test|testing)\.ts$/.test(path) &&
  !/(?:^|\/)testing\/|^(?:copy|gallery)\/|announceDemoWallet/.test(path)

/** Attributes and properties that are shown or read out. */
const shown = new Set(
  'title aria-label aria-description aria-roledescription placeholder alt label legend caption heading lead hint error term name what children'.split(
    ' ',
  ),
)
/** What a component takes as a `name` is what it is known by, not what it says. */
const machineNames = /^(?:meta|input|button)$/

test('default: every word of a component comes from the catalogue', () => {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isCode)
  const found = paths.flatMap((path) => wordsIn(path, readFileSync(join(source, path), 'utf8')))
  expect(paths.length).toBeGreaterThan(80)
  expect(found).toEqual([])
})

test.each([
  ['<p>Connect a wallet</p>', ['Connect a wallet']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  ['<p>{busy ? "Wait" : `Take ${amount}`}</p>', ['Wait', 'Take ']],
  ['<p>{busy && "Wait"}</p>', ['Wait']],
  ['<button title="Take it" />', ['Take it']],
  ['<button aria-label={dark ? "Light" : theme} />', ['Light']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  ['<Panel lead={`At block ${block}`} />', ['At block ']],
  ['const column = { heading: "Rank" }', ['Rank']],
  ['announce("It has closed.")', ['It has closed.']],
  ['const words = open ? "Still open" : other', ['Still open']],
])('behavior: finds the words of %s', (code, words) => {
  expect(wordsIn('one.tsx', code).map((found) => found.split(': ')[1])).toEqual(words)
})

function wordsIn(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const report = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${path} ${line + 1}: ${text}`)
  }
  const visit = (node: ts.Node): void => {
    const texts = textsOf(node)
    if (texts !== null && !isForMachines(node)) {
      for (const text of texts) if (isShown(node) ? /\p{L}{2}/u.test(text) : isSentence(text)) report(node, text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The literal texts of a node itself, or null when it is none. */
function textsOf(node: ts.Node): string[] | null {
  if (ts.isJsxText(node)) return [node.text.trim()]
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  return null
}

/** Two words, or one with a full stop: nothing that programs tell each other looks like that. */
function isSentence(text: string): boolean {
  return /^\p{Lu}\p{Ll}+(?: \p{L}|.*[.?!…]$)/u.test(text)
}

/** Whether it ends up as the child of an element, or in an attribute or property that is shown. */
function isShown(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return true
  let value: ts.Node = node
  while (ts.isConditionalExpression(value.parent) ? value.parent.condition !== value : isTransparent(value.parent)) {
    value = value.parent
  }
  const { parent } = value
  if (ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent)) return true
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent
  if (ts.isJsxAttribute(attribute)) return isShownAttribute(attribute)
  return ts.isPropertyAssignment(parent) && /^(?:heading|label|caption|title|lead)$/.test(parent.name.getText())
}

function isTransparent(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) {
    return /^(?:&&|\|\||\?\?|\+)$/.test(node.operatorToken.getText())
  }
  return ts.isParenthesizedExpression(node)
}

function isShownAttribute({ name, parent, initializer }: ts.JsxAttribute): boolean {
  const element = parent.parent.tagName.getText()
  if (name.getText() === 'name' && machineNames.test(element)) return false
  // A key of the catalogue.
  if (name.getText() === 'what' && initializer && ts.isStringLiteral(initializer)) return false
  return shown.has(name.getText())
}

/** Imports, types, errors for developers, and what an element is styled or found by. */
function isForMachines(node: ts.Node): boolean {
  for (let above = node.parent; above; above = above.parent) {
    if (ts.isImportDeclaration(above) || ts.isTypeNode(above)) return true
    if (ts.isNewExpression(above) && /Error$/.test(above.expression.getText())) return true
    if (ts.isElementAccessExpression(above) || ts.isCaseClause(above)) return true
    if (ts.isJsxAttribute(above) && /^(?:className|href|src|d|style)$/.test(above.name.getText())) return true
    if (ts.isBlock(above) || ts.isJsxElement(above)) return false
  }
  return false
}
