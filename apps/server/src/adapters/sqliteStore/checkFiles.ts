// Why: docs/decisions/0025-directory-lock.md
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { ConfigurationError } from '../../ports/errors.ts'

/**
 * Checks a database's files for damage that SQLite silently ignores: a truncated database or a damaged log. SQLite uses
 * only the part of a log before the damage.
 *
 * The database must not be open, because closing the file descriptors would release this process's locks.
 *
 * @param wasUsed whether the database previously had data.
 * @throws {ConfigurationError} if data is missing.
 */
export function checkFiles(file: string, wasUsed: boolean): void {
  const [log, index] = [`${file}-wal`, `${file}-shm`]
  const logBytes = existsSync(log) ? statSync(log).size : 0
  if (existsSync(file) && statSync(file).size === 0 && (wasUsed || logBytes > 0)) {
    throw new ConfigurationError(
      `The database ${file} is empty, although it was used before; restore a backup, or delete it to start with an empty one.`,
    )
  }
  const indexed = existsSync(index) ? readIndex(index) : null
  if (!(logBytes > 0 ? isWholeLog(log, indexed) : isCheckpointed(indexed))) {
    throw new ConfigurationError(
      `The log ${log} is damaged; restore a backup of the database, or delete the log and lose its contents.`,
    )
  }
}

/**
 * A log's state according to its shared-memory index: its salts, the number of committed frames, and the number of frames copied into the database.
 */
type LogIndex = { salts: Buffer; frames: number; copied: number }
type Checksum = readonly [number, number]

const [logHeaderBytes, frameHeaderBytes] = [32, 24]

/**
 * Whether a log contains all committed frames. Each frame continues the previous frame's checksum, so the log ends at
 * the first wrong checksum. Either the last process was interrupted there, or the log is damaged. The log is damaged if
 * fewer frames precede that point than the index counts, because it counts only committed frames. The log is also
 * damaged if a valid frame follows a later commit, because nothing is written after a commit until that commit is on
 * disk.
 */
function isWholeLog(log: string, index: LogIndex | null): boolean {
  const descriptor = openSync(log, 'r')
  try {
    const header = readPart(descriptor, 0, logHeaderBytes)
    if (header.length < logHeaderBytes || header.every((byte) => byte === 0))
      return index === null || index.frames === 0
    const magic = header.readUInt32BE(0)
    const isLittle = magic === 0x377f0682
    const start = checksum(header.subarray(0, 24), [0, 0], isLittle)
    if (!(isLittle || magic === 0x377f0683) || !isSame(start, header, 24)) return false
    const salts = header.subarray(16, 24)
    const frameBytes = frameHeaderBytes + header.readUInt32BE(8)

    let before: Checksum = start
    let isWhole = true
    let committed = 0
    let followsCommit = false
    for (let number = 1; ; number += 1) {
      const frame = readPart(descriptor, logHeaderBytes + (number - 1) * frameBytes, frameBytes)
      if (frame.length < frameBytes || !frame.subarray(8, 16).equals(salts)) break
      const sum = checksum(frame.subarray(frameHeaderBytes), checksum(frame.subarray(0, 8), before, isLittle), isLittle)
      const isContinued = isSame(sum, frame, 16)
      const isCommit = frame.readUInt32BE(4) !== 0
      if (isContinued && !isWhole && followsCommit) return false
      isWhole &&= isContinued
      if (isWhole && isCommit) committed = number
      followsCommit = isCommit
      before = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    }
    return index === null || !index.salts.equals(salts) || index.frames <= committed
  } finally {
    closeSync(descriptor)
  }
}

/** Whether an empty log is complete because all its frames were copied into the database. */
function isCheckpointed(index: LogIndex | null): boolean {
  return index === null || index.frames <= index.copied
}

/**
 * Reads the state recorded in an index. Returns null if the index is invalid or the process ended while writing it.
 */
function readIndex(file: string): LogIndex | null {
  const bytes = readFileSync(file)
  const header = bytes.subarray(0, 48)
  if (bytes.length < 100 || !header.equals(bytes.subarray(48, 96)) || header[12] !== 1) return null
  const sum = checksum(header.subarray(0, 40), [0, 0], true)
  if (sum[0] !== header.readUInt32LE(40) || sum[1] !== header.readUInt32LE(44)) return null
  return { salts: header.subarray(32, 40), frames: header.readUInt32LE(16), copied: bytes.readUInt32LE(96) }
}

function readPart(descriptor: number, position: number, length: number): Buffer {
  const part = Buffer.alloc(length)
  return part.subarray(0, readSync(descriptor, part, 0, length, position))
}

function isSame([first, second]: Checksum, bytes: Buffer, offset: number): boolean {
  return first === bytes.readUInt32BE(offset) && second === bytes.readUInt32BE(offset + 4)
}

/** SQLite's log checksum: https://www.sqlite.org/fileformat2.html#checksum_algorithm */
function checksum(bytes: Buffer, [first, second]: Checksum, isLittle: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [a, b] = [first, second]
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0
  }
  return [a, b]
}
