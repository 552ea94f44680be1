import {
  findCaddy,
  findNats,
  findNginx,
  findOpenssl,
  findPostgres,
  findPrometheus,
  findShellcheck,
} from '../packages/cluster/src/findPrograms.ts'
import { findProgram } from './findBrowser.mjs'

// Run by the workspace's Node, which reads TypeScript.

/** What tests of several servers, and of how they are deployed, need beside Node, with Debian's package and the variable that names another one. */
const services = [
  { name: 'PostgreSQL', package: 'postgresql', variable: 'FIRMQUOTE_POSTGRES_BIN', find: findPostgres },
  { name: 'NATS', package: 'nats-server', variable: 'FIRMQUOTE_NATS', find: findNats },
  { name: 'nginx', package: 'nginx', variable: 'FIRMQUOTE_NGINX', find: findNginx },
  { name: 'Caddy', package: 'caddy', variable: 'FIRMQUOTE_CADDY', find: findCaddy },
  { name: 'OpenSSL', package: 'openssl', variable: 'FIRMQUOTE_OPENSSL', find: findOpenssl },
  { name: 'ShellCheck', package: 'shellcheck', variable: 'FIRMQUOTE_SHELLCHECK', find: findShellcheck },
  { name: 'Prometheus', package: 'prometheus', variable: 'FIRMQUOTE_PROMETHEUS_BIN', find: findPrometheus },
]

/** The services that this machine lacks. */
export function missingServices(env = process.env) {
  return services.filter(({ find }) => find(env) === null)
}

/** Debian's packages of the services that are missing, and may be installed here. */
export function packagesToInstall(env = process.env) {
  return whyNotInstalled(env)
    ? []
    : missingServices(env)
        .filter(({ variable }) => !env[variable])
        .map((service) => service.package)
}

/** Why the services are missing, as the end of a sentence. */
export function whyMissing(env = process.env) {
  const named = missingServices(env).filter(({ variable }) => env[variable])
  const reasons = named.map(({ variable }) => `${variable} is "${env[variable]}", which is not what it should be`)
  if (named.length === missingServices(env).length) return reasons.join(', and ')
  return env.FIRMQUOTE_INSTALL_FAILURE || whyNotInstalled(env) || 'they are not installed'
}

function whyNotInstalled(env) {
  if (!findProgram(['apt-get'], env)) return 'there is no apt-get to install them with'
  if (process.getuid?.() !== 0) {
    const packages = missingServices(env).map((service) => service.package)
    return `only root may install them (apt-get install ${packages.join(' ')})`
  }
  return undefined
}
