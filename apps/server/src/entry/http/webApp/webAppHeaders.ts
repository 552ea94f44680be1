/**
 * Creates a policy that allows only this server's resources. Swagger UI's styles and wallet icons (EIP-6963) use
 * `data:` images. Styles set by scripts are not inline styles, so the policy need not allow those.
 */
function policy(
  more: { script?: readonly string[]; connect?: readonly string[]; frame?: readonly string[] } = {},
): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...(more.script ?? [])].join(' '),
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    ["connect-src 'self'", ...(more.connect ?? [])].join(' '),
    ...(more.frame ? [`frame-src ${more.frame.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers for all files served to browsers, in addition to the common headers. */
export const webAppHeaders = {
  'Content-Security-Policy': policy(),
  'Referrer-Policy': 'no-referrer',
}

/**
 * Headers for the web app with WalletConnect and Coinbase Wallet. These headers also allow both wallets' relays and
 * nodes, and the frame in which WalletConnect verifies the site.
 */
export const remoteWalletHeaders = {
  ...webAppHeaders,
  'Content-Security-Policy': policy({
    connect: [
      'wss://relay.walletconnect.org',
      'https://rpc.walletconnect.org',
      'wss://www.walletlink.org',
      'https://www.walletlink.org',
      'https://rpc.wallet.coinbase.com',
    ],
    frame: ['https://verify.walletconnect.org'],
  }),
}

/** Headers for pages with inline scripts. Only scripts with these SHA-256 hashes (base64) may run. */
export function headersWithScripts(hashes: readonly string[]): typeof webAppHeaders {
  return { ...webAppHeaders, 'Content-Security-Policy': policy({ script: hashes.map((hash) => `'sha256-${hash}'`) }) }
}
