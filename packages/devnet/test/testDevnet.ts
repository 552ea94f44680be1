import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { Hex } from 'viem'
import { type Devnet, startDevnet } from '../src/startDevnet.ts'
import { createTestMaker } from '../src/testMaker.ts'

/** The test file's devnet. Available once `beforeAll` has run. */
export let devnet: Devnet
export let testMaker: ReturnType<typeof createTestMaker>
/** The latest block's time when the test starts, in Unix seconds. */
export let now: bigint

/** Starts one devnet for the test file and reverts each test's changes. */
export function useTestDevnet(prepare: () => Promise<unknown> = async () => {}): void {
  let snapshot: Hex
  beforeAll(async () => {
    devnet = await startDevnet()
    testMaker = createTestMaker(devnet)
    await prepare()
  }, 60_000)
  afterAll(() => devnet?.stop())
  beforeEach(async () => {
    snapshot = await devnet.testClient.snapshot()
    now = await testMaker.now()
  })
  afterEach(() => devnet.testClient.revert({ id: snapshot }))
}
