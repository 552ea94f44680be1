import type { ReceiptMessage } from '@firmquote/core'
import { afterEach, expect, test } from '@jest/globals'
import { WebSocket } from 'ws'
import { startBackerService } from '../test/backerService.ts'
import { key, publicRfqId, quoteHash, quoteMarket } from '../test/samples.ts'
import { ServiceClient } from './serviceClient.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const message: ReceiptMessage = {
  ...{ type: 'receipt', rfqId: publicRfqId, hash: quoteHash },
  receipt: {
    ...{ log: 'rfq.example.com/log/1', mergeBy: 1, signature: `0x${'11'.repeat(65)}`, index: 0, path: [] },
    ...{ salt: 'IiIiIiIiIiIiIiIiIiIiIg==', leaf: 'IQ==' },
  },
}

test.each([
  [{}, ''],
  [{ receipts: true }, '?receipts=1'],
  [{ traces: true, receipts: true }, '?traces=1&receipts=1'],
])('default: with %j, the channel requests %j', async (options, query) => {
  const service = await startBackerService({ serverTime: () => Date.now() })
  const dialled: string[] = []
  class Spy extends WebSocket {
    constructor(url: string) {
      super(url)
      dialled.push(url)
    }
  }
  const orderbookUrl = service.url.replace('ws', 'http').replace('/ws/rfq', '')
  const client = new ServiceClient({ orderbookUrl, quoteMarketAddress: quoteMarket }, { WebSocket: Spy as never })
  closers.push(service.close, () => client.disconnectWebSocket())
  client.setPrivateKey(key)
  const received = new Promise((resolve) => {
    void client.connectWebSocket({ onReceipt: resolve }, options)
  })
  const socket = await service.letIn()
  socket.send(message)
  expect(await received).toEqual(message)
  expect(dialled).toEqual([`${service.url}${query}`])
})

test('error: receipts that is not a boolean', async () => {
  const client = new ServiceClient({ quoteMarketAddress: quoteMarket })
  client.setPrivateKey(key)
  await expect(client.connectWebSocket({}, { receipts: 1 as never })).rejects.toMatchObject({ path: 'receipts' })
})
