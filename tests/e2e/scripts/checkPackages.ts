// Checks the packed tarballs, as users install them, with publint and "Are the types wrong?", and limits their sizes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packPublished } from '../../../scripts/release/preparePackages.ts'
import { judgeSize, unpackedBytes } from '../src/packageSizes.ts'

const folder = mkdtempSync(join(tmpdir(), 'firmquote-pack-'))
let mistakes = 0
try {
  const packed = packPublished(folder)
  const names = packed.map(({ name }) => name)
  for (const { name, filename } of packed) {
    const tarball = readFileSync(filename)
    const { messages, pkg } = await publint({
      pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) },
      strict: true,
    })
    const lints = messages.map((message) => formatMessage(message, pkg) ?? message.code)
    // A program has no entry point to import. A package without `require` is ESM-only, for Node or bundlers.
    const main = (pkg['exports'] as Record<string, { require?: unknown }>)['.']
    const types = main ? await wrongTypes(tarball, main.require === undefined) : []
    const missing = Object.keys(pkg['dependencies'] ?? {})
      .filter((name) => name.startsWith('@firmquote/') && !names.includes(name))
      .map((name) => `depends on ${name}, which is not published`)
    const bytes = unpackedBytes(filename)
    const size = judgeSize(name, bytes)
    mistakes += lints.length + types.length + missing.length + size.length
    console.log(`${name}: publint ${lints.length}, types ${types.length}, ${Math.ceil(bytes / 1_000)} kB unpacked`)
    for (const line of [...lints, ...types, ...missing, ...size]) console.log(`  ${line}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exitCode = mistakes === 0 ? 0 : 1

async function wrongTypes(tarball: Buffer, esmOnly: boolean): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  if (!analysis.types) return ['has no types']
  return analysis.problems
    .filter((problem) => {
      // Importing subpaths requires `exports`, which resolvers older than Node 16 ignore.
      if ('resolutionKind' in problem && problem.resolutionKind === 'node10') return false
      return !(esmOnly && problem.kind === 'CJSResolvesToESM')
    })
    .map((problem) => JSON.stringify(problem))
}
