import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { buildContext } from './buildContext.ts'

// What an image is built from, by the repository's `.dockerignore`.

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-context-'))
  cpSync(join(root, '.dockerignore'), join(folder, '.dockerignore'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
}

test('behavior: secrets, data and what was built here stay outside, wherever they lie', () => {
  const kept = [
    'apps/server/src/main.ts',
    'packages/core/package.json',
    'package.json',
    'scripts/run.mjs',
    'turbo.json',
  ]
  write(kept)
  write(['.env', 'apps/server/deploy/.env', 'apps/server/.env.local', '.npmrc', 'notes.txt', '.git/config'])
  write(['apps/daemon/keystore.json', 'apps/daemon/password', 'apps/server/firmquote.db-wal', 'apps/server/data/x'])
  write(['apps/server/.npmrc', 'apps/server/firmquote-data/firmquote.db', 'apps/server/key.pem'])
  write(['node_modules/x/index.js', 'apps/server/node_modules/x.js', 'apps/server/dist/main.js', 'apps/web/.turbo/log'])
  expect(buildContext(folder).sort()).toEqual(kept.sort())
})
