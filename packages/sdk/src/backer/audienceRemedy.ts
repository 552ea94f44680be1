/**
 * Returns the remedy for a service that claims an origin other than the dialled one. It may be the right service behind
 * a proxy, or it may be relaying another service's messages, so the caller must decide.
 */
export function audienceRemedy(said: string): string {
  return ` If that is the public address of the service that you want, pass audience: '${said}'. If it is wrong, the operator must set PUBLIC_WS_URL.`
}
