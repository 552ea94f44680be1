import { expect, test } from '@jest/globals'
import { createClient, custom, RpcRequestError } from 'viem'
import { createContractSignatures } from './contractSignatures.ts'

const given = {
  account: '0x00000000000000000000000000000000000c0de1',
  digest: `0x${'11'.repeat(32)}`,
  signature: '0x1234',
} as const
const yes = `0x1626ba7e${'0'.repeat(56)}`

/** Asks through a node that answers so. */
function asking(request: (call: { method: string; params: unknown }) => Promise<unknown>) {
  return createContractSignatures(createClient({ transport: custom({ request }, { retryCount: 0 }) }))
}

test('default: one call with 500,000 gas, and the whole word that ERC-1271 names', async () => {
  const calls: unknown[] = []
  const check = asking(async ({ params }) => {
    calls.push(params)
    return yes
  })
  expect(await check(given)).toBe(true)
  expect(calls).toEqual([[{ to: given.account, data: expect.stringMatching(/^0x1626ba7e/), gas: '0x7a120' }, 'latest']])
  for (const answer of ['0x', '0x1626ba7e', `0x${'0'.repeat(64)}`, `${yes}00`, `${yes.slice(0, -1)}1`]) {
    expect(await asking(async () => answer)(given)).toBe(false)
  }
})

test('behavior: one that reverts takes no signature; a node that does not answer leaves it unknown', async () => {
  const reverted = new RpcRequestError({ body: {}, url: '', error: { code: 3, message: 'execution reverted' } })
  expect(await asking(() => Promise.reject(reverted))(given)).toBe(false)
  await expect(asking(() => Promise.reject(new TypeError('gone')))(given)).rejects.toThrow()
})

test('error: more than 16 at once are not asked, and the next are when one is done', async () => {
  const answers: ((answer: string) => void)[] = []
  const check = asking(() => new Promise((resolve) => answers.push(resolve)))
  const running = Array.from({ length: 16 }, () => check(given))
  await expect(check(given)).rejects.toMatchObject({ code: 'OVERLOADED' })
  while (answers.length < 16) await new Promise((resolve) => setImmediate(resolve))
  for (const answer of answers) answer(yes)
  expect(await Promise.all(running)).toEqual(Array.from({ length: 16 }, () => true))
  const next = check(given)
  while (answers.length < 17) await new Promise((resolve) => setImmediate(resolve))
  answers[16]?.('0x')
  expect(await next).toBe(false)
})
