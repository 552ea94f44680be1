// Whatever adapters the deployment file names.
export * from './generated/adapters.ts'
