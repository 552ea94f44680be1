import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createChainDriver } from '../../test/chainDriver.ts'
import { type RpcProxy, startRpcProxy } from '../../test/rpcProxy.ts'
import { dumpSync, syncFromScratch } from '../../test/syncFixture.ts'

const children = new Set<ChildProcess>()
let devnet: Devnet
let node: RpcProxy
let directory: string

beforeAll(async () => {
  devnet = await startDevnet()
  node = await startRpcProxy(devnet.rpcUrl)
  directory = mkdtempSync(join(tmpdir(), 'firmquote-restart-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await node.close()
  await devnet.stop()
  rmSync(directory, { recursive: true })
})

function start() {
  const child = spawn(process.execPath, [programOf('server')], {
    env: {
      ...startingEnvironment(),
      PORT: '0',
      RPC_URL: node.url,
      DATA_DIR: directory,
      LOG_WINDOW: '10',
      HEAD_DEGRADED_SECONDS: '3600',
      HEAD_STALE_SECONDS: '3600',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.add(child)
  return child
}

test('behavior: killed during the first sync, it resumes without duplicates', async () => {
  const chain = createChainDriver(devnet)
  for (const backer of devnet.backers) for (let n = 0; n < 10; n += 1) await chain.raiseNonce(backer)
  const fromOf = (call: (typeof node.calls)[number]) => Number((call.params[0] as { fromBlock: string }).fromBlock)
  let [asked, last] = [[] as number[], -1]
  const reads: number[][] = []
  for (const windows of [3, 2, 1]) {
    asked = []
    const child = start()
    const exited = once(child, 'exit')
    // The server stops during a window whose log request is never answered.
    await new Promise<void>((resolve) => {
      node.interfere = (call) => {
        if (call.method !== 'eth_getLogs') return undefined
        asked.push(fromOf(call))
        if (asked.length <= windows) return undefined
        resolve()
        return new Promise<undefined>(() => {})
      }
    })
    child.kill('SIGKILL')
    await exited
    // The server requests the unanswered window again, but none before it.
    expect(asked[0]).toBe(last === -1 ? 0 : last)
    last = asked.at(-1) ?? -1
    reads.push(asked)
  }
  node.interfere = (call) => {
    if (call.method === 'eth_getLogs') reads.at(-1)?.push(fromOf(call))
    return undefined
  }
  reads.push([])
  const child = start()
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  await exited
  expect(reads.at(-1)?.[0]).toBe(last)
  expect(dumpSync(join(directory, 'firmquote.db'))).toEqual(await syncFromScratch(devnet))
}, 60_000)
