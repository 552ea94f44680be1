import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../pack.ts'

/** The report of the script of {@link bundleVectorCheck}. */
export const verified = 'every vector is verified'

/**
 * Bundles packages/verify with the check of its test vectors. The script reports {@link verified} or the first mistake: in
 * a page as the title, elsewhere as output.
 *
 * @param platform `node` for the code that Node, Bun and Deno use by default.
 * @returns the script's path in the folder.
 */
export async function bundleVectorCheck(folder: string, platform: 'browser' | 'node' = 'browser'): Promise<string> {
  const path = join(folder, 'verify.mjs')
  const contents = `
    import { checkVectors } from './packages/verify/test/checkVectors.ts'
    import vectors from './docs/vectors/proofs.json'
    const report = globalThis.document ? (text) => { document.title = text } : console.log
    checkVectors(vectors).then(() => report('${verified}'), (error) => report(String(error.stack)))
  `
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: root }, bundle: true, platform, format: 'esm', write: false },
    ...{ conditions: ['@firmquote/source'], logLevel: 'silent' },
  })
  writeFileSync(path, outputFiles[0]?.text ?? '')
  return path
}
