import { join, resolve } from 'node:path'
import type { Configuration } from './configuration.ts'

/** Returns the absolute path of the admin socket; null with `DATABASE_URL` and without `ADMIN_SOCKET`. */
export function adminSocketPath({
  ADMIN_SOCKET: path,
  DATABASE_URL: url,
  DATA_DIR: directory,
}: Pick<Configuration, 'ADMIN_SOCKET' | 'DATABASE_URL' | 'DATA_DIR'>): string | null {
  if (path !== null) return resolve(path)
  return url === null ? resolve(join(directory, 'admin.sock')) : null
}
