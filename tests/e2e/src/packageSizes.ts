import { execFileSync } from 'node:child_process'

/** Maximum unpacked size of each published package in kB, a tenth above its size when the limit was last set. */
const limits: Readonly<Record<string, number>> = {
  '@firmquote/addresses': 52,
  '@firmquote/cli': 175,
  '@firmquote/core': 1_190,
  '@firmquote/daemon': 325,
  '@firmquote/demo': 60,
  '@firmquote/devnet': 490,
  '@firmquote/react': 145,
  '@firmquote/sdk': 1_220,
  // With the docs site.
  '@firmquote/server': 9_700,
  '@firmquote/verify': 170,
}

/** Returns the unpacked size of a tarball's files in bytes. */
export function unpackedBytes(tarball: string): number {
  return execFileSync('tar', ['-xzOf', tarball], { maxBuffer: 1 << 27 }).length
}

/** Compares a package's unpacked size in bytes with its limit. Returns one sentence per mistake. */
export function judgeSize(name: string, bytes: number): string[] {
  const limit = limits[name]
  if (limit === undefined) return [`has no size limit in packageSizes.ts`]
  return bytes <= limit * 1_000 ? [] : [`is ${Math.ceil(bytes / 1_000)} kB unpacked; the limit is ${limit} kB`]
}
