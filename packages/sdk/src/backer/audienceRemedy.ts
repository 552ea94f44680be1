/**
 * The remedy when a service claims another origin than the one dialled. It may be the right service behind a proxy, or
 * a relay of another service's messages, so the caller must decide.
 */
export function audienceRemedy(said: string): string {
  return ` If that is the public address of the service that you mean, pass audience: '${said}'. If it is wrong, its operator sets PUBLIC_WS_URL.`
}
