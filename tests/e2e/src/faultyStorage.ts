import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { canBreakDisks, compileFaultyDisk } from '../../../apps/server/test/startFaultyServer.ts'

/** A simulated storage failure on a server, with functions to start and end it. */
export type StorageFault = {
  /** The server's data directory during this fault. */
  dataFolder: string
  /** Variables added to the server's environment. */
  environment?: Record<string, string>
  begin(): void
  end(): void
  /** Cleans up after the fault. */
  remove?(): void
}

/** A fault, or the reason why this machine cannot simulate it. */
export type PossibleFault = { fault: StorageFault } | { missing: string }

/** All faults by name. Each function sets up its fault in its own folder. */
export const storageFaults: Record<string, (folder: string) => PossibleFault> = {
  'a full disk': fullDisk,
  'a disk that reports errors': brokenDisk,
  'a lock of another program': foreignLock,
}

/** Creates a file system of a few megabytes, which another file fills during the fault. */
function fullDisk(folder: string): PossibleFault {
  const mount = join(folder, 'small')
  mkdirSync(mount)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=700', 'tmpfs', mount], { stdio: 'pipe' })
  } catch {
    return { missing: 'a small file system cannot be mounted here' }
  }
  const filler = join(mount, 'filler')
  return {
    fault: {
      dataFolder: join(mount, 'data'),
      begin() {
        const file = openSync(filler, 'w')
        const block = Buffer.alloc(4_096)
        try {
          for (;;) writeSync(file, block)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        } finally {
          closeSync(file)
        }
      },
      end: () => rmSync(filler, { force: true }),
      remove: () => void execFileSync('umount', ['--lazy', mount], { stdio: 'pipe' }),
    },
  }
}

/** Makes fsync fail with EIO while a file exists. */
function brokenDisk(folder: string): PossibleFault {
  const marker = join(folder, 'fsync')
  if (!canBreakDisks) return { missing: 'the C compiler cc is not installed' }
  return {
    fault: {
      dataFolder: join(folder, 'data'),
      environment: { LD_PRELOAD: compileFaultyDisk(folder), FAULTS: folder },
      begin: () => writeFileSync(marker, ''),
      end: () => rmSync(marker, { force: true }),
    },
  }
}

/** Another program holds the write lock of the database. */
function foreignLock(folder: string): PossibleFault {
  const dataFolder = join(folder, 'data')
  let other: DatabaseSync | undefined
  return {
    fault: {
      dataFolder,
      begin() {
        const file = join(dataFolder, 'firmquote.db')
        if (!existsSync(file)) throw new TypeError(`There is no ${file}.`)
        other = new DatabaseSync(file, { timeout: 5_000 })
        other.exec('BEGIN IMMEDIATE')
      },
      // Rolls back the program's transaction.
      end() {
        other?.close()
        other = undefined
      },
    },
  }
}
