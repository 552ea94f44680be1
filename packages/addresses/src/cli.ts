#!/usr/bin/env node
import { DeploymentFileError } from './deploymentFileError.ts'
import { generate } from './generate.ts'
import { parseArguments } from './parseArguments.ts'

const help = `Generates TypeScript constants from a Firmquote deployment file.

Usage: npx @firmquote/addresses generate --in FILE --out FOLDER [--name NAME] [--check]

  --in FILE      the deployment file (JSON); every error in it is reported with its field
  --out FOLDER   the folder for deployment.ts and adapters.ts
  --name NAME    the constant with the whole deployment; default: after FILE, such as MY_DEPLOYMENT
  --check        write nothing; exit with 1 if the files in FOLDER do not match FILE
  --help         show this

Exit status: 0 success, 1 invalid file or failed check, 2 invalid command line.
`

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const command = parseArguments(args)
  if (command.do === 'help') {
    process.stdout.write(help)
    return 0
  }
  if (command.do === 'refuse') {
    process.stderr.write(`${command.problem} See npx @firmquote/addresses --help.\n`)
    return 2
  }
  const { input, output, name, check } = command
  try {
    const stale = await generate(command)
    if (check && stale.length > 0) {
      process.stderr.write(
        `${stale.map((path) => `${path} does not match ${input}\n`).join('')}Run: ${rerun(input, output, name)}\n`,
      )
      return 1
    }
    process.stdout.write(
      stale.length > 0 ? stale.map((path) => `wrote ${path}\n`).join('') : `${output} is up to date\n`,
    )
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${error instanceof DeploymentFileError ? message : `generate failed: ${message}`}\n`)
    return 1
  }
}

/**
 * Returns the command that fixes a failed check: the package script in this package's folder, otherwise the published
 * program.
 */
function rerun(input: string, output: string, name: string | undefined): string {
  const { npm_package_name: packageName, npm_lifecycle_event: script } = process.env
  if (packageName === '@firmquote/addresses' && script === 'generate')
    return 'pnpm --filter @firmquote/addresses generate'
  return `npx @firmquote/addresses generate --in ${input} --out ${output}${name === undefined ? '' : ` --name ${name}`}`
}
