/** An error in a deployment file. */
export type DeploymentMistake = {
  /** Path in dot notation (`contracts.quoteMarket`). The path is empty if the error concerns the whole file. */
  path: string
  message: string
}

/**
 * A deployment file is invalid. The message has one line per error, with the file and the field. Code
 * `INVALID_DEPLOYMENT_FILE`.
 */
export class DeploymentFileError extends Error {
  override name = 'DeploymentFileError'
  readonly code = 'INVALID_DEPLOYMENT_FILE'
  readonly file: string
  readonly mistakes: readonly DeploymentMistake[]

  constructor(file: string, mistakes: readonly DeploymentMistake[], options?: ErrorOptions) {
    const lines = mistakes.map(({ path, message }) => `${file}: ${path === '' ? '' : `${path}: `}${message}`)
    super(lines.join('\n'), options)
    this.file = file
    this.mistakes = mistakes
  }
}
