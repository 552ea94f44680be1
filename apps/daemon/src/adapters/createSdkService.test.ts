import { createDeferred } from '@firmquote/test-support/createDeferred'
import { expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { startBackerService } from '../../../../packages/sdk/test/backerService.ts'
import { quoteMarket } from '../../../../packages/sdk/test/samples.ts'
import { createSdkService } from './createSdkService.ts'

const message = 'The operator of this server has banned this maker.'

/** Connects, and has the service close the authenticated session with a ban. */
async function banned(closeReason: string) {
  const place = await startBackerService({ serverTime: Date.now })
  const logs: { facts: object; message: string }[] = []
  const closed = createDeferred<void>()
  const write = (facts: object, text: string) => {
    logs.push({ facts, message: text })
    if (text === 'connection to the service closed') closed.resolve()
  }
  const service = createSdkService({
    ...{ url: place.url.replace('ws', 'http').replace('/ws/rfq', ''), audience: undefined, chainId: 8453, quoteMarket },
    ...{ interestRatePool: zeroAddress, privateKey: `0x${'11'.repeat(32)}`, log: { info: write, warn: write } },
  })
  const refusals: Error[] = []
  const nothing = () => {}
  const events = { onAuthenticated: nothing, onRfq: nothing, onResult: nothing, onStatus: nothing, onReceipt: nothing }
  service.connect({ ...events, onRefused: (error) => refusals.push(error) }, { resumeFrom: 0 })
  const session = await place.letIn()
  session.send({ type: 'auth_failed', code: 'banned', message, serverTime: Date.now() })
  session.socket.close(4423, closeReason)
  await closed.promise
  service.disconnect()
  await place.close()
  return { logs: logs.filter(({ message }) => message !== 'authenticated'), refusals }
}

test('behavior: a ban is logged with the time of the next attempt, and the daemon keeps running', async () => {
  const reason = `banned until ${new Date(Date.now() + 3_600_000).toISOString()}`
  const { logs, refusals } = await banned(reason)
  expect(logs).toMatchObject([
    { facts: { err: { reason: 'banned', shortMessage: message } }, message: expect.stringContaining('has banned') },
    { facts: { code: 4423, reason, retryInMs: expect.any(Number) } },
  ])
  const closing = logs[1]?.facts as { retryInMs: number } | undefined
  expect(closing?.retryInMs).toBeGreaterThan(3_600_000)
  expect(refusals).toEqual([])
})

test('error: a ban without an end stops the daemon, which says why', async () => {
  const { logs, refusals } = await banned('banned')
  expect(logs[1]).toMatchObject({ facts: { code: 4423, retryInMs: null } })
  expect(refusals).toMatchObject([{ name: 'AuthenticationError', reason: 'banned', shortMessage: message }])
})
