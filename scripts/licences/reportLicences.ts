import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundledPackages, describe } from './bundledPackages.ts'
import { formatReport, reportName } from './licenceReport.ts'

/**
 * For tsup's `esbuildPlugins`: writes the report of what a package's build contains beside its own code, and none where that is nothing.
 * One plugin serves all builds of a package: the report is about them together.
 *
 * @param options.folder where the build is put
 * @param options.also folders of packages that are put beside the build by other means
 */
export function reportLicences({ folder = 'dist', also = [] }: { folder?: string; also?: string[] } = {}): Plugin {
  const modules = new Set<string>()
  return {
    name: 'report-licences',
    setup(build) {
      build.initialOptions.metafile = true
      const at = build.initialOptions.absWorkingDir ?? process.cwd()
      build.onEnd(({ metafile }) => {
        for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
          for (const [path, { bytesInOutput }] of Object.entries(inputs))
            if (bytesInOutput > 0) modules.add(resolve(at, path))
        }
        const packages = [...bundledPackages(modules, at), ...also.map(describe)]
        const report = packages.length > 0 ? formatReport(packages) : undefined
        const file = join(folder, reportName)
        // The plugin is done before the build is written.
        mkdirSync(folder, { recursive: true })
        if (report === undefined) rmSync(file, { force: true })
        else writeFileSync(file, report)
      })
    },
  }
}

/** What Rollup and Rolldown have in common here. */
type BundlePart = {
  type: 'chunk' | 'asset'
  modules?: Record<string, { renderedLength: number }>
  originalFileNames?: string[]
}
type BundleContext = { emitFile(file: { type: 'asset'; fileName: string; source: string }): string }

/** A plugin of Vite's, as far as it is used here. */
type PagePlugin = {
  name: string
  apply: 'build'
  configResolved(config: { root: string }): void
  generateBundle(this: BundleContext, options: unknown, bundle: Record<string, BundlePart>): void
}

/** For Vite: puts the same report into the build of a page. */
export function reportPageLicences(): PagePlugin {
  let root = ''
  return {
    name: 'report-page-licences',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk'
          ? Object.entries(part.modules ?? {}).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
          : (part.originalFileNames ?? []).map((name) => resolve(root, name)),
      )
      this.emitFile({ type: 'asset', fileName: reportName, source: formatReport(bundledPackages(modules, root)) })
    },
  }
}
