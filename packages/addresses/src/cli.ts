#!/usr/bin/env node
import { DeploymentFileError } from './deploymentFileError.ts'
import { generate } from './generate.ts'
import { parseArguments } from './parseArguments.ts'

const help = `Turns a file with the addresses of a Firmquote deployment into TypeScript constants.

Usage: npx @firmquote/addresses generate --in FILE --out FOLDER [--check]

  --in FILE      the deployment file (JSON); every mistake in it is reported with its field
  --out FOLDER   where deployment.ts and adapters.ts are written
  --check        write nothing; exit with 1 if the files in FOLDER are not what FILE gives
  --help         show this

Exit status: 0 done, 1 the file is refused or the check fails, 2 the command line is wrong.
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
  const { input, output, check } = command
  try {
    const stale = await generate(command)
    if (check && stale.length > 0) {
      process.stderr.write(
        `${stale.map((path) => `${path} is not what ${input} gives\n`).join('')}Run: ${rerun(input, output)}\n`,
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
 * The command that fixes the findings of a check: the script in this package's own folder, and the published program
 * elsewhere.
 */
function rerun(input: string, output: string): string {
  const { npm_package_name: packageName, npm_lifecycle_event: script } = process.env
  if (packageName === '@firmquote/addresses' && script === 'generate')
    return 'pnpm --filter @firmquote/addresses generate'
  return `npx @firmquote/addresses generate --in ${input} --out ${output}`
}
