/**
 * This package's version. Browsers cannot read package.json, so the version is repeated here. A test checks that the
 * two match.
 */
export const version = '0.0.0'
