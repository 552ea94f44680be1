// The adapter constants of the deployment, under the names that the deployment file gives them.
export * from '@firmquote/addresses/adapters'
