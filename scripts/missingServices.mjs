// Runs on the workspace's Node version, which supports TypeScript.
import * as find from '../packages/cluster/src/findPrograms.ts'
import { whyNotInstallable } from './findBrowser.mjs'

/**
 * Services for cluster and deployment tests: each one's Debian package, and the variable that overrides its program's
 * path.
 */
const services = [
  { name: 'PostgreSQL', package: 'postgresql', variable: 'FIRMQUOTE_POSTGRES_BIN', find: find.findPostgres },
  { name: 'NATS', package: 'nats-server', variable: 'FIRMQUOTE_NATS', find: find.findNats },
  { name: 'nginx', package: 'nginx', variable: 'FIRMQUOTE_NGINX', find: find.findNginx },
  { name: 'Caddy', package: 'caddy', variable: 'FIRMQUOTE_CADDY', find: find.findCaddy },
  { name: 'OpenSSL', package: 'openssl', variable: 'FIRMQUOTE_OPENSSL', find: find.findOpenssl },
  { name: 'ShellCheck', package: 'shellcheck', variable: 'FIRMQUOTE_SHELLCHECK', find: find.findShellcheck },
  { name: 'Prometheus', package: 'prometheus', variable: 'FIRMQUOTE_PROMETHEUS_BIN', find: find.findPrometheus },
]

/** Services that are not installed. */
export function missingServices(env = process.env) {
  return services.filter(({ find }) => find(env) === null)
}

/** Returns the Debian packages of the missing services, or none if they cannot be installed. */
export function packagesToInstall(env = process.env) {
  const packages = missingServices(env).flatMap((service) => (env[service.variable] ? [] : [service.package]))
  return whyNotInstallable(packages, env) ? [] : packages
}

/** Why services are missing, worded to end a sentence. */
export function whyMissing(missing, env = process.env) {
  const named = missing.filter(({ variable }) => env[variable])
  const reasons = named.map(({ variable }) => `${variable} is "${env[variable]}", which is not the expected program`)
  if (named.length === missing.length) return reasons.join(', and ')
  const packages = missing.map((service) => service.package)
  return env.FIRMQUOTE_INSTALL_FAILURE || whyNotInstallable(packages, env) || 'they are not installed'
}
