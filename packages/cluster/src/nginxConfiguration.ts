/** Addresses for an nginx configuration. */
export type NginxAddresses = {
  /** Port on 127.0.0.1. */
  port: number
  /** Servers as `host:port`. */
  servers: readonly string[]
  /**
   * PEM files for TLS, and the port that redirects plain HTTP to TLS. Without `tls`, nginx serves plain HTTP.
   */
  tls?: { certificate: string; key: string; httpPort: number } | undefined
}

type Replacement = readonly [pattern: string | RegExp, value: string]

/**
 * Adapts the deployed nginx configuration to an unprivileged nginx in a separate folder.
 *
 * @param deployed the text of `apps/server/deploy/nginx.conf`.
 * @throws {TypeError} if text to be replaced is missing from the deployed configuration.
 */
export function nginxConfiguration(deployed: string, { port, servers, tls }: NginxAddresses): string {
  const replace = (text: string, [pattern, value]: Replacement) => {
    if (text.split(pattern).length === 1) throw new TypeError(`nginx.conf does not contain ${pattern}.`)
    return text.replaceAll(pattern, () => value)
  }
  const list = servers.map((server) => `server ${server} max_fails=0;`).join('\n  ')
  const common: readonly Replacement[] = [
    ['server 127.0.0.1:3005 max_fails=0;', list],
    ['error_log /var/log/nginx/firmquote.log crit;', 'error_log stderr crit;'],
    [/ {2}listen \[::\].*\n/g, ''],
  ]
  const specific: readonly Replacement[] = tls
    ? [
        ['listen 80;', `listen 127.0.0.1:${tls.httpPort};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
        ['/etc/letsencrypt/live/rfq.example.com/fullchain.pem', tls.certificate],
        ['/etc/letsencrypt/live/rfq.example.com/privkey.pem', tls.key],
        ['rfq.example.com', 'localhost'],
      ]
    : [
        // All clients run on this machine and share one address.
        ['limit_conn firmquote 128;', 'limit_conn firmquote 8192;'],
        [/^server \{\n {2}listen 80;[^}]*\}\n/gm, ''],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
        [/ {2}ssl_.*\n/g, ''],
      ]
  return `worker_processes 1;
pid nginx.pid;

events {
  worker_connections 8192;
}

http {
  client_body_temp_path body;
  proxy_temp_path proxied;
  fastcgi_temp_path unused;
  uwsgi_temp_path unused;
  scgi_temp_path unused;

${[...common, ...specific].reduce(replace, deployed)}}
`
}
