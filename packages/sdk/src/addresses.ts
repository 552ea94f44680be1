// The adapter constants of the deployment, named as in the deployment file.
export * from '@firmquote/addresses/adapters'
