// The adapters of the deployment file.
export * from './generated/adapters.ts'
