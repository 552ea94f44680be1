import {
  Comment,
  type CommentDisplayPart,
  type DeclarationReflection,
  makeRecursiveVisitor,
  type ParameterReflection,
  type ProjectReflection,
  type ReferenceType,
  ReflectionKind,
} from 'typedoc'

/**
 * Merges the `@throws` tags of each docstring into one list, whose items name the error's class and the condition.
 * Describes parameters without a docstring by their types. Links error classes to their sections on the page at
 * `errorsPath`, and removes methods that they inherit.
 */
export function finishDocstrings(project: ProjectReflection, errorsPath: string): void {
  const classes = new Map(project.getChildrenByKind(ReflectionKind.Class).map((one) => [one.name, one]))
  for (const reflection of Object.values(project.reflections)) {
    if (reflection.comment) mergeThrows(reflection.comment, classes)
    else if (reflection.isParameter()) describeByType(reflection)
  }
  for (const one of classes.values()) {
    if (!one.name.endsWith('Error')) continue
    for (const child of one.getChildrenByKind(ReflectionKind.Method)) {
      if (child.inheritedFrom) project.removeReflection(child)
    }
    const anchor = /^(?:Base|Client)Error$/.test(one.name) ? '' : `#${one.name.toLowerCase()}`
    const text = `\n\nFor its message and what to do, see [SDK errors](${errorsPath}${anchor}).`
    one.comment?.summary.push({ kind: 'text', text })
  }
}

function mergeThrows(comment: Comment, classes: ReadonlyMap<string, DeclarationReflection>): void {
  const tags = comment.getTags('@throws')
  const [first] = tags
  if (!first) return
  comment.removeTags('@throws')
  first.content = tags.flatMap(({ typeAnnotation, content }): CommentDisplayPart[] => {
    const name = typeAnnotation?.replaceAll(/[{}]/g, '') ?? ''
    const target = classes.get(name)
    const condition = content.map((part) => ({ ...part, text: part.text.replaceAll(/\n\s*/g, ' ') }))
    return [
      { kind: 'text', text: '- ' },
      ...(target ? [{ kind: 'inline-tag', tag: '@linkcode', text: name, target } as const] : []),
      { kind: 'text', text: target || name === '' ? '' : `\`${name}\`` },
      { kind: 'text', text: name === '' ? '' : ' ' },
      ...condition,
      { kind: 'text', text: '\n' },
    ]
  })
  comment.blockTags.unshift(first)
}

/** Gives the parameter the first sentence of the first documented type in its own type. */
function describeByType(parameter: ParameterReflection): void {
  const types: CommentDisplayPart[][] = []
  const reference = ({ reflection }: ReferenceType) => {
    if (reflection?.comment) types.push(reflection.comment.summary)
  }
  parameter.type?.visit(makeRecursiveVisitor({ reference }))
  const [summary = []] = types
  const end = summary.findIndex(({ text }) => /\.(?=\s|$)/.test(text))
  if (end === -1) return
  const last = { ...summary[end], text: summary[end]?.text.replace(/\.(?=\s|$).*/s, '.') } as CommentDisplayPart
  parameter.comment = new Comment([...summary.slice(0, end), last])
}
