/** Returns whether a URL is encrypted or local. Other connections can be read and tampered with. */
export function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return /^(?:wss|https):$/.test(protocol) || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
