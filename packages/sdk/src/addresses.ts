// The adapters' addresses, named as in the deployment file.
export * from '@firmquote/addresses/adapters'
