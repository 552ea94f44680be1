import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { type Mutation, refusalOf, type Vectors } from '../test/checkVectors.ts'

const vectors: Vectors = JSON.parse(readFileSync(new URL('../../../docs/vectors/proofs.json', import.meta.url), 'utf8'))
const { log, logProof } = vectors

/** Texts, and what they are when changed. */
const texts: [string, string, (changed: string) => Mutation][] = [
  ...vectors.files.map((text): (typeof texts)[number] => [
    `a file of type ${JSON.parse(text).type}`,
    text,
    (input) => ({ of: 'file', what: 'a file', input }),
  ]),
  ['a checkpoint', log.checkpoint, (input) => ({ of: 'checkpoint', what: 'a checkpoint', input })],
  ['a log proof', logProof.text, (text) => ({ of: 'logProof', what: 'a log proof', input: { ...logProof, text } })],
  ...log.tiles
    .filter(({ path }) => path.includes('.p/'))
    .map(({ path, bytes }): (typeof texts)[number] => [
      path,
      Buffer.from(bytes, 'base64').toString('latin1'),
      (changed) => ({
        of: 'tile',
        what: path,
        input: { path, bytes: Buffer.from(changed, 'latin1').toString('base64') },
      }),
    ]),
]

test.each(texts)(
  'error: %s with any byte changed',
  async (_what, text, mutationOf) => {
    expect(await refusalOf(vectors, mutationOf(text))).toBeNull()
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const changed = text.slice(0, at) + String.fromCharCode(code === 126 ? 33 : code + 1) + text.slice(at + 1)
      const reason = await refusalOf(vectors, mutationOf(changed))
      if (reason === null) throw new Error(`The change at ${at} was not noticed: ${changed.slice(at - 40, at + 40)}`)
      expect(reason).toMatch(/^[A-Z0-9].*[.]$/)
    }
  },
  60_000,
)
