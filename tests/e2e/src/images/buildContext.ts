import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import dockerignore from '@balena/dockerignore'

/** The files of a folder that `docker build` gets, as paths in it: those that its `.dockerignore` lets through, links among them. */
export function buildContext(folder: string): string[] {
  const rules = dockerignore().add(readFileSync(join(folder, '.dockerignore'), 'utf8'))
  const list = (inside: string): string[] =>
    readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
      const path = join(inside, entry.name)
      if (rules.ignores(path)) return []
      return entry.isDirectory() ? list(path) : [path]
    })
  return list('')
}
