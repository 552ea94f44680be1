import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../pack.ts'

/**
 * Builds the web app's component gallery (`apps/web/gallery.html`). Returns the new folder, which the caller must
 * remove.
 */
export function buildGallery(): string {
  const cwd = join(root, 'apps/web')
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-gallery-'))
  const args = ['build', '--mode', 'gallery', '--outDir', folder]
  execFileSync(process.execPath, [join(cwd, 'node_modules/vite/bin/vite.js'), ...args], { cwd, stdio: 'pipe' })
  return folder
}
