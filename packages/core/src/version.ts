/** This package's version. A test keeps it equal to package.json, which browsers cannot read. */
export const version = '0.0.0'
