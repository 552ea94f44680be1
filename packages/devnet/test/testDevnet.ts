import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { Hex } from 'viem'
import { type Devnet, startDevnet } from '../src/startDevnet.ts'
import { createTestMaker } from '../src/testMaker.ts'

/** The test file's devnet. Available once `beforeAll` has run. */
export let devnet: Devnet
export let testMaker: ReturnType<typeof createTestMaker>
/** The latest block's time when the test starts, in Unix seconds. */
export let now: bigint

/** Starts one devnet for the tests. `prepare` may return a function that cleans up before the devnet stops. */
export function useDevnet(prepare: () => Promise<unknown> = async () => {}): void {
  let end: unknown
  beforeAll(async () => {
    devnet = await startDevnet()
    end = await prepare()
  }, 60_000)
  afterAll(async () => {
    if (typeof end === 'function') await end()
    await devnet?.stop()
  })
}

/** {@link useDevnet} that reverts each test's changes. */
export function useTestDevnet(prepare: () => Promise<unknown> = async () => {}): void {
  let snapshot: Hex
  useDevnet(() => {
    testMaker = createTestMaker(devnet)
    return prepare()
  })
  beforeEach(async () => {
    snapshot = await devnet.testClient.snapshot()
    now = await testMaker.now()
  })
  afterEach(() => devnet.testClient.revert({ id: snapshot }))
}
