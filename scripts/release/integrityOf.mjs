import { createHash } from 'node:crypto'

/**
 * The SHA-512 of a tarball as registries write it: `sha512-` and base64.
 *
 * @param {Buffer} content
 * @returns {string}
 */
export function integrityOf(content) {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`
}
