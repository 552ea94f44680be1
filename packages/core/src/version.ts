/**
 * This package's version. Browsers cannot read package.json, so the version is repeated here and a test keeps the two
 * equal.
 */
export const version = '0.0.0'
