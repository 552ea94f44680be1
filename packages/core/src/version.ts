/** This package's version; a test keeps it equal to package.json, which browsers cannot read. */
export const version = '0.0.0'
