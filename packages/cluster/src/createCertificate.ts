import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findOpenssl } from './findPrograms.ts'

/**
 * Creates a self-signed certificate for `localhost` with `openssl`, valid for one day.
 *
 * @returns the PEM files of the certificate and its key, created in `folder`.
 * @throws {Error} if `openssl` is missing or fails.
 */
export function createCertificate(folder: string): { certificate: string; key: string } {
  const program = findOpenssl()
  if (!program) throw new Error('openssl is not installed.')
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(program, ['req', ...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  return { certificate, key }
}
