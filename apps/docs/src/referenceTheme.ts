import {
  ArrayType,
  type DeclarationReflection,
  IntersectionType,
  LiteralType,
  ReferenceType,
  type Reflection,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  TupleType,
  type Type,
  TypeOperatorType,
  UnionType,
} from 'typedoc'
import { type MarkdownPageEvent, MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown'

/**
 * The layout of the SDK reference. Lists an object's properties in one table. Rows of nested properties follow their
 * parent and are named by their path, such as `series[].expiry`. Names that a heading states are not repeated.
 */
export class ReferenceTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    return new ReferenceContext(this, page, this.application.options)
  }
}

class ReferenceContext extends MarkdownThemeContext {
  constructor(...given: ConstructorParameters<typeof MarkdownThemeContext>) {
    super(...given)
    const { partials, helpers } = this
    /** Objects whose properties are rows of a table. */
    const tabled = new Set<DeclarationReflection>()
    const isTabled = (type: Type | undefined) =>
      type instanceof UnionType
        ? type.types.some((one) => one instanceof ReflectionType) && helpers.hasUsefulTypeDetails(type)
        : type instanceof ReflectionType && Boolean(type.declaration.children)

    this.helpers = {
      ...helpers,
      getFlattenedDeclarations: (model, options) =>
        model
          .flatMap((one) => flatten(one, tabled))
          .flatMap((one) => (objectIn(one.type) ? [one] : helpers.getFlattenedDeclarations([one], options))),
    }
    this.partials = {
      ...partials,
      reflectionType: (model, options) =>
        tabled.has(model.declaration) ? '\\{ … \\}' : partials.reflectionType(model, options),
      functionType: (model, options) => partials.functionType(model, { ...options, forceParameterType: true }),
      // The name of viem's type. The entries are in `docs/abi`.
      typeOperatorType: (model) => (isAbi(model.target) ? '`Abi`' : partials.typeOperatorType(model)),
      declarationTitle: (model) => {
        if (!model.kindOf(ReflectionKind.TypeAlias | ReflectionKind.Variable)) return partials.declarationTitle(model)
        for (const type of model.type instanceof IntersectionType ? model.type.types : []) addAll(type, tabled)
        return model.type === undefined || isTabled(model.type) ? '' : `> ${this.partials.someType(model.type)}`
      },
      parametersTable: (model) => {
        for (const { type } of model) addAll(type, tabled)
        return partials.parametersTable(model)
      },
      signature: (model, options) => {
        const result = resultOf(model)
        if (result) tabled.add(result)
        return partials.signature(model, options)
      },
      signatureReturns: (model, options) => {
        const result = model.type instanceof ReflectionType ? undefined : resultOf(model)
        const rows = result ? this.partials.typeDeclarationTable(result.children ?? [], {}) : ''
        return `${partials.signatureReturns(model, options)}\n\n${rows}`
      },
      typeDeclarationUnionContainer: ({ type }) =>
        (type instanceof UnionType ? type.types : [])
          .map((one, index) => {
            const children = one instanceof ReflectionType ? one.declaration.children : undefined
            const shown = children ? this.partials.typeDeclarationTable(children, {}) : this.partials.someType(one)
            return `${index === 0 ? 'Either' : 'Or'}:\n\n${shown}`
          })
          .join('\n\n'),
      // The group's heading is enough, because no class has several constructors.
      constructor: (model, { headingLevel }) =>
        (model.signatures ?? []).map((one) => this.partials.signature(one, { headingLevel })).join('\n\n'),
      inheritance: (model, options) =>
        model.kindOf(ReflectionKind.ConstructorSignature) ? '' : partials.inheritance(model, options),
    }
  }
}

/** The property, followed by the properties of the object in its type, if there is exactly one. */
function flatten(property: DeclarationReflection, tabled: Set<DeclarationReflection>): DeclarationReflection[] {
  const inner = objectIn(property.type)
  if (!inner) return [property]
  tabled.add(inner.object)
  const nested = (inner.object.children ?? []).map((child) =>
    Object.assign(Object.create(Object.getPrototypeOf(child)) as DeclarationReflection, child, {
      name: `${property.name}${inner.suffix}.${child.name}`,
    }),
  )
  return [property, ...nested.flatMap((child) => flatten(child, tabled))]
}

/** The object with properties in a type such as `readonly {…}[] | null`. `suffix` is `[]` for each list around it. */
function objectIn(type: Type | undefined): { object: DeclarationReflection; suffix: string } | undefined {
  if (type instanceof ReflectionType) {
    const { declaration } = type
    return declaration.children && !declaration.signatures ? { object: declaration, suffix: '' } : undefined
  }
  if (type instanceof TypeOperatorType) return objectIn(type.target)
  if (type instanceof ArrayType) {
    const inner = objectIn(type.elementType)
    return inner && { ...inner, suffix: `${inner.suffix}[]` }
  }
  if (!(type instanceof UnionType)) return undefined
  const [first, ...others] = type.types.flatMap((one) => objectIn(one) ?? [])
  return others.length === 0 ? first : undefined
}

/** Marks an object and the objects in it, whose properties get rows in a table. */
function addAll(type: Type | undefined, tabled: Set<DeclarationReflection>): void {
  if (!(type instanceof ReflectionType) || !type.declaration.children || type.declaration.signatures) return
  tabled.add(type.declaration)
  for (const child of type.declaration.children) addAll(child.type, tabled)
}

/** The object that a function returns or resolves to. */
function resultOf({ type }: SignatureReflection): DeclarationReflection | undefined {
  const [resolved] = type instanceof ReferenceType && type.name === 'Promise' ? (type.typeArguments ?? []) : []
  return objectIn(resolved ?? type)?.object
}

/** Whether the type is the literal of an ABI. */
function isAbi(type: Type): boolean {
  const [first] = type instanceof TupleType ? type.elements : []
  const kind = first instanceof ReflectionType ? first.declaration.getChildByName('type') : undefined
  const value = kind?.isDeclaration() && kind.type instanceof LiteralType ? kind.type.value : undefined
  return value === 'function' || value === 'event' || value === 'error'
}
