/**
 * Scripts, styles, fonts and answers of this server alone. `data:` images are the drawings of Swagger UI's styles and the
 * icons of wallets (EIP-6963). Styles that a script sets on an element are no inline styles, so none need be allowed.
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

/** The headers of everything that a page of this server is made of, beside those of every answer. */
export const webAppHeaders = {
  'Content-Security-Policy': policy(),
  'Referrer-Policy': 'no-referrer',
}

/**
 * The same for the web client when it offers WalletConnect and Coinbase Wallet: their relays and nodes, and the page by which
 * WalletConnect tells a wallet which site asks.
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

/** The same for pages with inline scripts, of which `hashes` are the SHA-256 in base64; no other one runs. */
export function headersWithScripts(hashes: readonly string[]): typeof webAppHeaders {
  return { ...webAppHeaders, 'Content-Security-Policy': policy({ script: hashes.map((hash) => `'sha256-${hash}'`) }) }
}
