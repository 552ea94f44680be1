import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
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
  /** Starts a program that runs until it is stopped, waits for a text, stops it, and waits until all of it has gone. */
  runUntil(command: string, text: RegExp, environment?: Record<string, string>): Promise<void>
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
    async runUntil(command, text, environment = {}) {
      // A process group of its own, as a terminal gives it.
      const child = spawn('bash', ['-c', command], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const closed = once(child, 'close')
      let output = ''
      await new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk: Buffer) => {
            output += chunk.toString()
            if (text.test(output)) resolve()
          })
        }
        void closed.then(() => reject(new TypeError(`${command} ended:\n${output}`)))
      })
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await closed
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  project.write('package.json', JSON.stringify({ name: 'somebody', private: true, type: 'module' }))
  await project.run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', 'viem@2.57.1', ...tarballs])
  return project
}
