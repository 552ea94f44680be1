/**
 * What to do when a service says that it is another one than was dialled. It may be the right one behind a proxy, or one that
 * passes on what another service has sent: the caller has to know.
 */
export function audienceRemedy(said: string): string {
  return ` If that is the public address of the service that you mean, pass audience: '${said}'. If it is wrong, its operator sets PUBLIC_WS_URL.`
}
