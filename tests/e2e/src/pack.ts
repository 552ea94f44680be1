import { fileURLToPath } from 'node:url'
import { packPublished } from '../../../scripts/release/preparePackages.ts'
import { onceInRun } from './onceInRun.ts'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Packs every published package once per Jest run. Returns the tarballs' folder. */
export function packPackages(): Promise<string> {
  return onceInRun('tarballs', (folder) => void packPublished(folder))
}
