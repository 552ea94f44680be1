import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../pack.ts'
import { serveLocalPages } from './serveLocalPages.ts'

/** Builds the parts of the page by themselves (`apps/web/gallery.html`) and serves them at the path `/gallery.html`. */
export async function serveGallery(): ReturnType<typeof serveLocalPages> {
  const web = join(root, 'apps/web')
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-gallery-'))
  try {
    const vite = join(web, 'node_modules/vite/bin/vite.js')
    await promisify(execFile)(process.execPath, [vite, 'build', '--mode', 'gallery', '--outDir', folder], { cwd: web })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return await serveLocalPages(
      Object.fromEntries(
        files.map(({ parentPath, name }) => {
          const path = join(parentPath, name)
          return [path.slice(folder.length), readFileSync(path)]
        }),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
