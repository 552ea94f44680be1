import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findOpenssl } from './findPrograms.ts'

/**
 * Makes a certificate for `localhost` that is its own authority and lasts a day, by `openssl`.
 *
 * @returns its file and that of its key, in the folder, in PEM.
 * @throws {Error} when `openssl` is not there or fails.
 */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const program = findOpenssl()
  if (!program) throw new Error('There is no openssl on this machine.')
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(program, ['req', ...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  return { certificate, key }
}
