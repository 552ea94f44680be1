/**
 * Returns whether a URL is encrypted or local. Connections that are neither encrypted nor local can be read and
 * tampered with.
 */
export function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return /^(?:wss|https):$/.test(protocol) || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
