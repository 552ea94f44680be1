import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deploymentName } from './constantName.ts'
import { decodeDeployment } from './decodeDeployment.ts'
import { DeploymentFileError } from './deploymentFileError.ts'
import { type RenderedSource, renderDeployment } from './renderDeployment.ts'

/** The generator's input and output. */
export type GenerateOptions = {
  /** The deployment file. */
  input: string
  /** Folder for the generated sources. Created if missing. */
  output: string
  /** Name of the constant with the whole deployment. Default: after the deployment file. */
  name?: string | undefined
  /** Whether to compare without writing. */
  check?: boolean
}

/**
 * Generates sources from a deployment file. Leaves up-to-date sources untouched.
 *
 * @returns The paths of the sources that were outdated or missing.
 * @throws {DeploymentFileError} if the deployment file is unreadable or invalid.
 */
export async function generate({ input, output, name, check = false }: GenerateOptions): Promise<string[]> {
  const sources = renderDeployment(decodeDeployment(await loadFile(input), input), {
    origin: basename(input),
    name: name ?? deploymentName(basename(input, '.json')),
  })
  const stale: RenderedSource[] = []
  for (const source of sources) {
    if ((await loadExisting(join(output, source.name))) !== source.text) stale.push(source)
  }
  if (!check && stale.length > 0) {
    await mkdir(output, { recursive: true })
    for (const { name, text } of stale) await writeFile(join(output, name), text)
  }
  return stale.map(({ name }) => join(output, name))
}

async function loadFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const message = errorCode(cause) === 'ENOENT' ? 'no such file' : `cannot be read (${errorCode(cause)})`
    throw new DeploymentFileError(file, [{ path: '', message }], { cause })
  }
}

async function loadExisting(file: string): Promise<string | null> {
  try {
    // A checkout on Windows may have converted the line endings.
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null
    throw cause
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
