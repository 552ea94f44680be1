// Adapters from the deployment file.
export * from './generated/adapters.ts'
