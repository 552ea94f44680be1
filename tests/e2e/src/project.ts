import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './onceInRun.ts'
import { packPackages } from './pack.ts'

export type Project = Awaited<ReturnType<typeof createProject>>

/**
 * Creates a project in which npm has installed every published package from its tarball. The project contains no other
 * files from this repository.
 */
export async function createProject() {
  const modules = join(await installPackages(), 'node_modules')
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-project-'))
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), manifest)
  return {
    folder,
    /** Writes a file and returns its path. */
    write(file: string, text: string): string {
      const path = join(folder, file)
      writeFileSync(path, text)
      return path
    },
    /** Runs a program in the project, as `runIn` does. */
    run: (file: string, args: string[], environment?: Record<string, string>) => runIn(folder, file, args, environment),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const manifest = JSON.stringify({ name: 'user', private: true, type: 'module' })

/** Runs a program in a folder. Resolves to the program's output, or rejects with that output on failure. */
export async function runIn(folder: string, file: string, args: string[], environment = {}): Promise<string> {
  try {
    const env = { ...process.env, NODE_OPTIONS: '', ...environment }
    const { stdout, stderr } = await promisify(execFile)(file, args, { cwd: folder, env })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new TypeError(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Installs the packed packages once per Jest run. Returns the folder that contains the installed packages. */
async function installPackages(): Promise<string> {
  const packed = await packPackages()
  return onceInRun('packages', async (folder) => {
    const tarballs = readdirSync(packed).map((file) => join(packed, file))
    writeFileSync(join(folder, 'package.json'), manifest)
    const peers = ['viem@2.57.1', 'wagmi@3.7.7', '@tanstack/react-query@5.108.0', 'react@19.3.1', 'react-dom@19.3.1']
    await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...peers, ...tarballs])
  })
}
