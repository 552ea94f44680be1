import { describe, expect, test } from '@jest/globals'
import { hexToBytes, keccak256 } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { createHashSigner } from './hashSigner.ts'

const privateKey = `0x${'07'.repeat(32)}` as const

describe('createHashSigner', () => {
  test('default: signs the same bytes as viem', async () => {
    const signer = await createHashSigner(privateKey)
    expect(signer.address).toBe(privateKeyToAccount(privateKey).address)
    for (const text of ['0x', '0x01', '0x02'] as const) {
      const hash = keccak256(text)
      expect(signer.signHash(hexToBytes(hash))).toBe(await sign({ hash, privateKey, to: 'hex' }))
    }
  })

  test('error: a key beyond the range of the curve is not repeated', async () => {
    const key = `0x${'ff'.repeat(32)}` as const
    const failed = createHashSigner(key)
    await expect(failed).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'key' })
    await expect(failed).rejects.not.toThrow('ffff')
  })
})
