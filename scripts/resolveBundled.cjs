const { readFileSync } = require('node:fs')
const { join } = require('node:path')

let bundled

/** Jest's resolver: the file that an import means, or the bundle that holds the same (`bundleLibraries`), which the global setup makes. */
module.exports = (path, options) => {
  const file = options.defaultResolver(path, options)
  const { FIRMQUOTE_LIBRARIES: folder } = process.env
  if (folder) bundled ??= JSON.parse(readFileSync(join(folder, 'bundled.json'), 'utf8'))
  return bundled?.[file] ?? file
}
