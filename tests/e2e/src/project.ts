import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './onceInRun.ts'
import { pack, publishedPackages } from './pack.ts'
import { openTerminal } from './terminal.ts'

const run = promisify(execFile)

/** An empty project outside of this repository, with the packed tarballs installed. */
export type Project = {
  folder: string
  write(file: string, text: string): string
  /** Runs a program in the project; resolves to what it printed, rejects with it when it fails. */
  run(file: string, args: string[], environment?: Record<string, string>): Promise<string>
  /** Starts a program that runs until it is stopped, waits for a text, and stops it with Ctrl-C. */
  runUntil(command: string, text: RegExp, environment?: Record<string, string>): Promise<void>
  remove(): void
}

/** Creates a project with every published package installed from its tarball by npm, and nothing of this repository. */
export async function createProject(): Promise<Project> {
  const modules = join(await installPackages(), 'node_modules')
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-project-'))
  symlinkSync(modules, join(folder, 'node_modules'))
  const project: Project = {
    folder,
    write(file, text) {
      const path = join(folder, file)
      writeFileSync(path, text)
      return path
    },
    run: (file, args, environment) => runIn(folder, file, args, environment),
    async runUntil(command, text, environment = {}) {
      const terminal = openTerminal(command, folder, environment)
      await terminal.shows(text)
      await terminal.interrupt()
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  project.write('package.json', manifest)
  return project
}

const manifest = JSON.stringify({ name: 'user', private: true, type: 'module' })

async function runIn(folder: string, file: string, args: string[], environment = {}): Promise<string> {
  try {
    const env = { ...process.env, NODE_OPTIONS: '', ...environment }
    const { stdout, stderr } = await run(file, args, { cwd: folder, env })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new TypeError(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Installs the packed packages once in a run of jest. Gives the folder. */
async function installPackages(): Promise<string> {
  const packed = await packPackages()
  return onceInRun('packages', async (folder) => {
    const tarballs = readdirSync(packed).map((file) => join(packed, file))
    writeFileSync(join(folder, 'package.json'), manifest)
    const peers = ['viem@2.57.1', 'wagmi@3.7.7', '@tanstack/react-query@5.108.0', 'react@19.3.1', 'react-dom@19.3.1']
    await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...peers, ...tarballs])
  })
}

/** Packs every published package once in a run of jest. Gives the folder of the tarballs. */
export function packPackages(): Promise<string> {
  return onceInRun('tarballs', (folder) => {
    for (const published of publishedPackages()) pack(published, folder)
  })
}
