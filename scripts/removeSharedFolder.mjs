import { rmSync } from 'node:fs'

/** Jest's global teardown: removes the folder that the setup has made. */
// biome-ignore lint/style/noDefaultExport: jest takes a teardown from a module's default export.
export default function removeSharedFolder() {
  const { FIRMQUOTE_SHARED_FOLDER: folder } = process.env
  rmSync(folder, { recursive: true, force: true })
}
