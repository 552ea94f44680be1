/**
 * Scripts, styles, fonts and answers of this server alone. `data:` images are the drawings of Swagger UI's styles and the
 * icons of wallets (EIP-6963). Styles that a script sets on an element are no inline styles, so none need be allowed.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of everything that a page of this server is made of, beside those of every answer. */
export const pageHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
}
