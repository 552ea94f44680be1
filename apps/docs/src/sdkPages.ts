import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Application, Converter } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { addReferencedTypes } from './addReferencedTypes.ts'
import { finishDocstrings } from './finishDocstrings.ts'
import { type Page, parsePage } from './page.ts'
import { ReferenceTheme } from './referenceTheme.ts'

/** A package whose reference is generated from its docstrings. `errorsPath` is the page about its errors. */
export type DocumentedPackage = { name: string; folder: string; path: string; errorsPath: string }

/**
 * Generates a package's reference: a page per class and function, with all other types and values on the first page.
 *
 * @param scratch a folder that may be emptied.
 * @throws {TypeError} if TypeDoc reports errors.
 */
export async function sdkPages(
  { name, folder, path, errorsPath }: DocumentedPackage,
  scratch: string,
): Promise<Page[]> {
  rmSync(scratch, { recursive: true, force: true })
  const markdown: Partial<PluginOptions> = {
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    pageTitleTemplates: { index: '{projectName}', member: '{name}' },
    membersWithOwnFile: ['Class', 'Function'],
    useCodeBlocks: false,
    expandObjects: true,
    parametersFormat: 'table',
    classPropertiesFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    indexFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
  }
  const app = await Application.bootstrapWithPlugins({
    name,
    entryPoints: [join(folder, 'src/index.ts')],
    tsconfig: join(folder, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    out: scratch,
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    // `npm run check` already compiles the sources.
    skipErrorChecking: true,
    preservedTypeAnnotationTags: ['@throws'],
    theme: 'reference',
    locales: { en: { theme_type_declaration: 'Properties', theme_default_value: 'Value' } },
    logLevel: 'Warn',
    ...markdown,
  })
  app.renderer.defineTheme('reference', ReferenceTheme)
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    addReferencedTypes(context)
    finishDocstrings(context.project, errorsPath)
  })
  const project = await app.convert()
  if (!project) throw new TypeError(`TypeDoc cannot read ${folder}.`)
  await app.generateOutputs(project)
  const files = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return files.sort().map((file) => {
    const page = parsePage(`${path}/${file}`, readFileSync(join(scratch, file), 'utf8'))
    const isFirst = file === 'index.md'
    const title = isFirst ? name : page.title.replaceAll('\\', '')
    return {
      ...page,
      title,
      description: isFirst ? `All classes, functions, types and values of ${name}.` : firstSentence(page.markdown),
      order: isFirst ? 0 : file.startsWith('classes') ? 1 : 2,
    }
  })
}

/** The first sentence of the docstring's prose. */
function firstSentence(markdown: string): string {
  const prose = markdown
    .replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph !== '' && !/^[#|<>-]/.test(paragraph))
  return (/^[\s\S]*?[.:](?=\s|$)/.exec(prose ?? '')?.[0] ?? '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`\\]/g, '')
    .replaceAll(/\s+/g, ' ')
}
