import { type Context, makeRecursiveVisitor, type ReferenceType, TypeScript } from 'typedoc'

/** Adds the types that the package does not export, but that its exports refer to. */
export function addReferencedTypes(context: Context): void {
  const { project, converter } = context
  context.setActiveProgram(context.programs[0])
  const seen = new Set<string>()
  const add = ({ reflection, symbolId }: ReferenceType) => {
    const [, folder] = /^@firmquote\/(.+)/.exec(symbolId?.packageName ?? '') ?? []
    if (reflection || !symbolId || !folder || seen.has(symbolId.getStableKey())) return
    seen.add(symbolId.getStableKey())
    const place = `/${folder}/${symbolId.packagePath}`
    const file = context.program.getSourceFiles().find(({ fileName }) => fileName.endsWith(place))
    // Type parameters are not statements. A mapped type would name further internals instead of properties.
    const type = file?.statements.find(
      (one): one is TypeScript.TypeAliasDeclaration =>
        TypeScript.isTypeAliasDeclaration(one) && one.name.text === symbolId.qualifiedName,
    )
    const symbol = type && context.checker.getSymbolAtLocation(type.name)
    if (symbol && !TypeScript.isMappedTypeNode(type.type)) converter.convertSymbol(context.withScope(project), symbol)
  }
  // A converted type can refer to further types.
  for (let before = -1; before !== seen.size; ) {
    before = seen.size
    for (const one of Object.values(project.reflections)) {
      if (one.isDeclaration() || one.isSignature() || one.isParameter()) {
        one.type?.visit(makeRecursiveVisitor({ reference: add }))
      }
    }
  }
  context.setActiveProgram(undefined)
}
