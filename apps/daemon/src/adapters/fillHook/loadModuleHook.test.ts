import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { exampleFill } from '../../../test/exampleFill.ts'
import { describeFill } from '../../domain/fill.ts'
import { loadModuleHook } from './loadModuleHook.ts'

const maker = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const party = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111', maker } as const
const notice = describeFill(exampleFill(), { event: 'filled', final: false }, party)
const never = new AbortController().signal
useFolder(beforeAll, afterAll)

function load(name: string, content: string) {
  writeFileSync(join(folder, name), content)
  return loadModuleHook(join(folder, name))
}

describe('loadModuleHook', () => {
  test('default: calls the default function with a copy of the notice', async () => {
    const given = structuredClone(notice)
    const hook = await load(
      'good.mjs',
      `export default async (fill, { signal }) => {
        if (fill.event !== 'filled' || fill.cost !== '25000001' || signal.aborted) throw new Error('another notice')
        fill.cost = '0'
      }`,
    )
    await hook(given, never)
    expect(given).toEqual(notice)
  })

  test('error: a thrown error is the cause and not in the message', async () => {
    const hook = await load('bad.mjs', `export default () => { throw new Error('the exchange is closed') }`)
    const error = (await hook(notice, never).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'HOOK_FAILED', cause: { message: 'the exchange is closed' } })
    expect(error.message).not.toMatch(/exchange/)
  })

  test('error: a missing module, and one without a default function', async () => {
    await expect(loadModuleHook(join(folder, 'none.mjs'))).rejects.toThrow(/Failed to load/)
    await expect(load('empty.mjs', 'export const fill = 1')).rejects.toThrow(/has no function as its default export/)
  })
})
