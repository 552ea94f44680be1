const peers = /^(?:@tanstack\/react-query|react|react-dom|viem|wagmi)(?:\/|$)/

/**
 * Returns the folder from which to resolve an import, or undefined for the importer's own. The packages' sources and
 * tests import their peers from FIRMQUOTE_PEERS, if it is set.
 *
 * @param {string} specifier
 * @param {string | undefined} importer path or URL
 */
exports.peersFolder = (specifier, importer) => {
  const { FIRMQUOTE_PEERS } = process.env
  const isOurs = importer !== undefined && !importer.includes('/node_modules/')
  return isOurs && peers.test(specifier) ? FIRMQUOTE_PEERS : undefined
}
