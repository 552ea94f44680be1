import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pack, publishedPackages } from './pack.ts'

const run = promisify(execFile)

/** An empty project of somebody else, with the packed tarballs installed. */
export type Project = {
  folder: string
  write(file: string, text: string): string
  /** Runs a program in the project; resolves to what it printed, rejects with it when it fails. */
  run(file: string, args: string[], environment?: Record<string, string>): Promise<string>
  remove(): void
}

/** Packs every published package and installs them all, with npm and nothing of this repository. */
export async function createProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-project-'))
  const tarballs = publishedPackages().map((published) => pack(published, folder))
  const project: Project = {
    folder,
    write(file, text) {
      const path = join(folder, file)
      writeFileSync(path, text)
      return path
    },
    async run(file, args, environment = {}) {
      try {
        const { stdout, stderr } = await run(file, args, {
          cwd: folder,
          env: { ...process.env, NODE_OPTIONS: '', ...environment },
        })
        return stdout + stderr
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new TypeError(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  project.write('package.json', JSON.stringify({ name: 'somebody', private: true, type: 'module' }))
  await project.run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', 'viem@2.57.1', ...tarballs])
  return project
}
