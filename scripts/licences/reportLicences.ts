import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundledPackages, describe } from './bundledPackages.ts'
import { formatReport, reportName } from './licenceReport.ts'

/**
 * tsup plugin for `esbuildPlugins` that writes a package's licence report if it bundles third-party code. One plugin
 * covers all of a package's formats.
 *
 * @param options.folder the build folder
 * @param options.also folders of packages copied into the build
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
        const file = join(folder, reportName)
        rmSync(file, { force: true })
        if (packages.length === 0) return
        const report = formatReport(packages)
        // esbuild creates the folder after its plugins run.
        mkdirSync(folder, { recursive: true })
        writeFileSync(file, report)
      })
    },
  }
}

/** Fields of Rollup's and Rolldown's bundles that are used here. */
type BundlePart = {
  type: 'chunk' | 'asset'
  modules?: Record<string, { renderedLength: number }>
  originalFileNames?: string[]
}

/** Fields of a Vite plugin that are used here. */
type PagePlugin = {
  name: string
  apply: 'build'
  configResolved(config: { root: string }): void
  generateBundle(
    this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string },
    options: unknown,
    bundle: Record<string, BundlePart>,
  ): void
}

/** Vite plugin that adds the licence report to a web app's build. */
export function reportPageLicences(): PagePlugin {
  let root = ''
  return {
    name: 'report-page-licences',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ modules = {}, originalFileNames = [] }) => [
        ...Object.keys(modules).filter((id) => (modules[id]?.renderedLength ?? 0) > 0),
        ...originalFileNames.map((name) => resolve(root, name)),
      ])
      this.emitFile({ type: 'asset', fileName: reportName, source: formatReport(bundledPackages(modules, root)) })
    },
  }
}
