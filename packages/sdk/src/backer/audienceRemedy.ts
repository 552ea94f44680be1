/**
 * Returns the remedy for a service that claims an origin other than the one dialled. Such a service may be the right
 * one behind a proxy, or it may be relaying another service's messages, so the caller must decide.
 */
export function audienceRemedy(said: string): string {
  return ` If that is the public address of the service that you want, pass audience: '${said}'. If it is wrong, the operator must set PUBLIC_WS_URL.`
}
