/** This package's version. Browsers cannot read package.json, so a test keeps the two equal. */
export const version = '0.0.0'
