/** Where nginx listens, and what for. */
export type NginxPlaces = {
  /** Of 127.0.0.1. */
  port: number
  /** The servers, as host:port. */
  servers: readonly string[]
  /** Files in PEM, and the port from which plain HTTP is led to TLS; without them the service is served in plain text. */
  tls?: { certificate: string; key: string; httpPort: number } | undefined
}

type Filling = readonly [place: string | RegExp, value: string]

/**
 * The configuration of an nginx of one's own, in a folder of its own, around that which operators have.
 *
 * @param deployed the text of `apps/server/deploy/nginx.conf`.
 * @throws {TypeError} when a place in it that is to be filled in is no longer there.
 */
export function nginxConfiguration(deployed: string, { port, servers, tls }: NginxPlaces): string {
  const fill = (text: string, [place, value]: Filling) => {
    if (text.split(place).length === 1) throw new TypeError(`The configuration of nginx no longer has ${place}.`)
    return text.replaceAll(place, () => value)
  }
  const list = servers.map((server) => `server ${server} max_fails=0;`).join('\n  ')
  const both: readonly Filling[] = [
    ['server 127.0.0.1:3005 max_fails=0;', list],
    ['error_log /var/log/nginx/firmquote.log crit;', 'error_log stderr crit;'],
    [/ {2}listen \[::\].*\n/g, ''],
  ]
  const own: readonly Filling[] = tls
    ? [
        ['listen 80;', `listen 127.0.0.1:${tls.httpPort};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
        ['/etc/letsencrypt/live/rfq.example.com/fullchain.pem', tls.certificate],
        ['/etc/letsencrypt/live/rfq.example.com/privkey.pem', tls.key],
        ['rfq.example.com', 'localhost'],
      ]
    : [
        // All clients are on this machine, and have one address.
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

${[...both, ...own].reduce(fill, deployed)}}
`
}
