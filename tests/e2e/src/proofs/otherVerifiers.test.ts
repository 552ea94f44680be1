import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findGo, goPath } from '@firmquote/cluster/findPrograms'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { concat, decodeBase64, hexlify, sha256, TypedDataEncoder, verifyTypedData } from 'ethers'
import { root } from '../pack.ts'

// Verifiers that share no code with packages/verify: a program in Go, and ethers. packages/devnet has a contract.

type Receipt = {
  log: string
  mergeBy: number
  signature: string
  index: number
  path: string[]
  salt: string
  leaf: string
}

const { keys, log, receipts, mutations } = JSON.parse(readFileSync(join(root, 'docs/vectors/proofs.json'), 'utf8')) as {
  keys: { receipts: { address: string } }
  log: { origin: string }
  receipts: { batchRoot: string; digest: string; receipt: Receipt }[]
  mutations: { of: string; what: string; input: Receipt }[]
}

describe('the verifier in Go', () => {
  const go = findGo()
  const withGo = go ? test : test.skip
  const folderOf = join(root, 'tests/e2e/verifier-go')
  const run = (program: string, args: string[], environment = {}) => {
    const options = { cwd: folderOf, encoding: 'utf8', env: { ...process.env, ...environment } } as const
    const { stdout, stderr, status } = spawnSync(program, args, options)
    return [status, stdout, stderr]
  }

  useFolder(beforeEach, afterEach)

  // Compiles without a cache, on a machine that may be busy.
  withGo(
    'default: verifies every vector, and refuses every mutation',
    () => {
      const environment = { GO111MODULE: 'off', GOPATH: goPath, GOCACHE: join(folder, 'cache') }
      expect(run(go ?? '', ['test', '.'], environment)).toEqual([0, expect.stringMatching(/^ok\b/), ''])
    },
    120_000,
  )

  withGo('behavior: is formatted', () => {
    expect(run(`${go}fmt`, ['-l', '.'])).toEqual([0, '', ''])
  })
})

describe('ethers', () => {
  const domain = { name: 'Firmquote receipts', version: '1' }
  const types = {
    Receipt: [
      { name: 'log', type: 'string' },
      { name: 'batchRoot', type: 'bytes32' },
      { name: 'mergeBy', type: 'uint64' },
    ],
  }
  const batchRootOf = ({ index, path, salt, leaf }: Receipt): string => {
    if (index >= 2 ** path.length) throw new RangeError('The index is not in the batch.')
    return path.reduce(
      (hash, sibling, height) => {
        const pair = [hash, hexlify(decodeBase64(sibling))]
        return sha256(concat(['0x01', ...((index >> height) % 2 === 1 ? pair.reverse() : pair)]))
      },
      sha256(concat(['0x00', decodeBase64(salt), decodeBase64(leaf)])),
    )
  }
  const messageOf = (receipt: Receipt) => ({
    ...{ log: receipt.log, batchRoot: batchRootOf(receipt), mergeBy: receipt.mergeBy },
  })
  const isAccepted = (receipt: Receipt) => {
    const signer = verifyTypedData(domain, types, messageOf(receipt), receipt.signature)
    // ethers also accepts a v of 0 or 1.
    const isCanonical = /1[bc]$/.test(receipt.signature)
    return isCanonical && receipt.log === log.origin && signer.toLowerCase() === keys.receipts.address
  }

  test('default: computes the batch and the hash of each receipt, and recovers its signer', () => {
    for (const { batchRoot, digest, receipt } of receipts) {
      expect(batchRootOf(receipt)).toBe(batchRoot)
      expect(TypedDataEncoder.hash(domain, types, messageOf(receipt))).toBe(digest)
      expect(isAccepted(receipt)).toBe(true)
    }
  })

  const changed = mutations.filter(({ of }) => of === 'receipt').map(({ what, input }) => [what, input] as const)
  test.each(changed)('error: refuses %s', (_what, receipt) => {
    let isRefused = false
    try {
      isRefused = !isAccepted(receipt)
    } catch {
      isRefused = true
    }
    expect(isRefused).toBe(true)
  })
})
