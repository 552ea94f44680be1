// What a user of the published packages would meet: publint and "are the types wrong" on the packed tarballs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack, publishedPackages } from '../src/pack.ts'

const folder = mkdtempSync(join(tmpdir(), 'firmquote-pack-'))
let mistakes = 0
try {
  const names = publishedPackages().map(({ name }) => name)
  for (const published of publishedPackages()) {
    const tarball = readFileSync(pack(published, folder))
    const { messages, pkg } = await publint({
      pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) },
      strict: true,
    })
    const lints = messages.map((message) => formatMessage(message, pkg) ?? message.code)
    const types = published.isProgram ? [] : await wrongTypes(tarball, published.esmOnly)
    const missing = Object.keys(pkg['dependencies'] ?? {})
      .filter((name) => name.startsWith('@firmquote/') && !names.includes(name))
      .map((name) => `depends on ${name}, which is not published`)
    mistakes += lints.length + types.length + missing.length
    console.log(`${published.name}: publint ${lints.length}, types ${types.length}`)
    for (const line of [...lints, ...types, ...missing]) console.log(`  ${line}`)
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
      // Sub-paths need `exports`, which resolvers before Node 16 do not read.
      if ('resolutionKind' in problem && problem.resolutionKind === 'node10') return false
      return !(esmOnly && problem.kind === 'CJSResolvesToESM')
    })
    .map((problem) => JSON.stringify(problem))
}
