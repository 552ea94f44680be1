// Runs on the workspace's Node version, which supports TypeScript.
import * as find from '../packages/cluster/src/findPrograms.ts'
import { whyNotInstallable } from './findBrowser.mjs'

const pythonPackages = ['python3-ecdsa', 'python3-pycryptodome', 'python3-websockets']
const goPackages = [
  'golang-go',
  'golang-github-btcsuite-btcd-btcec-dev',
  'golang-github-gorilla-websocket-dev',
  'golang-golang-x-crypto-dev',
  'golang-golang-x-mod-dev',
]

/**
 * Programs for cluster, deployment and example tests: each one's Debian packages, and the variable that overrides its
 * path.
 */
const services = [
  { name: 'PostgreSQL', packages: ['postgresql'], variable: 'FIRMQUOTE_POSTGRES_BIN', find: find.findPostgres },
  { name: 'NATS', packages: ['nats-server'], variable: 'FIRMQUOTE_NATS', find: find.findNats },
  { name: 'nginx', packages: ['nginx'], variable: 'FIRMQUOTE_NGINX', find: find.findNginx },
  { name: 'Caddy', packages: ['caddy'], variable: 'FIRMQUOTE_CADDY', find: find.findCaddy },
  { name: 'OpenSSL', packages: ['openssl'], variable: 'FIRMQUOTE_OPENSSL', find: find.findOpenssl },
  { name: 'ShellCheck', packages: ['shellcheck'], variable: 'FIRMQUOTE_SHELLCHECK', find: find.findShellcheck },
  { name: 'Python', packages: pythonPackages, variable: 'FIRMQUOTE_PYTHON', find: find.findPython },
  { name: 'Go', packages: goPackages, variable: 'FIRMQUOTE_GO', find: find.findGo },
  { name: 'Prometheus', packages: ['prometheus'], variable: 'FIRMQUOTE_PROMETHEUS_BIN', find: find.findPrometheus },
]

/** Services that are not installed. */
export function missingServices(env = process.env) {
  return services.filter(({ find }) => find(env) === null)
}

/** Returns the Debian packages of the missing services, or none if they cannot be installed. */
export function packagesToInstall(env = process.env) {
  const packages = missingServices(env).flatMap((service) => (env[service.variable] ? [] : service.packages))
  return whyNotInstallable(packages, env) ? [] : packages
}

/** Why services are missing, worded to end a sentence. */
export function whyMissing(missing, env = process.env) {
  const named = missing.filter(({ variable }) => env[variable])
  const reasons = named.map(({ variable }) => `${variable} is "${env[variable]}", which is not the expected program`)
  if (named.length === missing.length) return reasons.join(', and ')
  const packages = missing.flatMap((service) => service.packages)
  return env.FIRMQUOTE_INSTALL_FAILURE || whyNotInstallable(packages, env) || 'they are not installed'
}
