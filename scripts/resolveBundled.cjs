const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { peersFolder } = require('./peersFolder.cjs')

let bundled

/**
 * Jest resolver. Resolves an import to its file, or to the bundle with the same content that the global setup created
 * (`bundleLibraries`).
 */
module.exports = (path, options) => {
  const basedir = peersFolder(path, options.basedir) ?? options.basedir
  const file = options.defaultResolver(path, { ...options, basedir })
  const { FIRMQUOTE_LIBRARIES: folder } = process.env
  if (folder) bundled ??= JSON.parse(readFileSync(join(folder, 'bundled.json'), 'utf8'))
  return bundled?.[file] ?? file
}
