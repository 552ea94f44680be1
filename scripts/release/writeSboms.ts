import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BundledPackage, licenceReports, parseReport } from '../licences/licenceReport.ts'
import { publishedPackages, root } from './publishedPackages.ts'

/** Fields of a CycloneDX bill of materials that are used here. */
type Sbom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type Component = { name: string; version: string; purl: string; 'bom-ref': string; [other: string]: unknown }

/**
 * Writes a CycloneDX file for each published package. pnpm lists the installed dependencies, and the licence reports
 * list the bundled ones.
 */
export function writeSboms(out: string): void {
  mkdirSync(out, { recursive: true })
  const packages = publishedPackages()
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  const options = ['--sbom-format', 'cyclonedx', '--prod', '--split', '--out', join(resolve(out), '%s.json')]
  execFileSync(join(root, 'node_modules/.bin/pnpm'), ['sbom', ...filters, ...options], { cwd: root, stdio: 'pipe' })
  for (const file of readdirSync(out)) {
    const sbom: Sbom = JSON.parse(readFileSync(join(out, file), 'utf8'))
    const published = packages.find(({ name }) => sbom.metadata.component.purl.startsWith(packageUrl(name, '')))
    if (!published) throw new Error(`${file} is about ${sbom.metadata.component.purl}, which is not published.`)
    addBundled(sbom, licenceReports(join(root, published.folder, 'dist')).flatMap(parseReport))
    writeFileSync(join(out, file), `${JSON.stringify(sbom, null, 2)}\n`)
  }
}

function addBundled({ metadata, components, dependencies }: Sbom, bundled: BundledPackage[]): void {
  const own = dependencies.find(({ ref }) => ref === metadata.component['bom-ref'])
  for (const { label, licence } of bundled) {
    const [, name = '', version = ''] = /^(.+)@([^@]+)$/.exec(label) ?? []
    const purl = packageUrl(name, version)
    if (components.some((component) => component.purl === purl)) continue
    components.push({ type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ expression: licence }] })
    dependencies.push({ ref: purl, dependsOn: [] })
    own?.dependsOn.push(purl)
  }
}

function packageUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
