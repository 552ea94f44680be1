import { cancelQuoteParameters, raiseNonceParameters } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../packages/devnet/test/testDevnet.ts'
import { startNode } from '../test/proxies.ts'
import { connectChain } from './connect.ts'
import { sendTransaction } from './sendTransaction.ts'
import { noSpending } from './spending.ts'

useDevnet()

const account = () => privateKeyToAccount(devnet.backers[0].privateKey)
const quote = () => exampleQuote({ maker: devnet.backers[0].address })

/** The context of an uninterrupted run. */
const undisturbed = (onSent: (hash: Hex) => void = () => {}) => ({
  signal: new AbortController().signal,
  finish: <T>(work: Promise<T>) => work,
  failure: {},
  onSent,
})

describe('sendTransaction', () => {
  test("default: also names the contract's error", async () => {
    const chain = await connectChain(devnet.rpcUrl, devnet.chainId)
    const sent: Hex[] = []
    const context = undisturbed((hash) => sent.push(hash))
    const send = () => sendTransaction(chain, devnet.rpcUrl, account(), cancelQuoteParameters(quote()), context)
    const receipt = await send()
    expect(receipt).toMatchObject({ status: 'success', transactionHash: sent[0] })
    const spent = { ...noSpending(), mined: 1, fee: receipt.gasUsed * receipt.effectiveGasPrice }
    expect(context.failure).toEqual({ spending: spent })
    await expect(send()).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      shortMessage: expect.stringMatching(
        /^The contract rejects the call: QuoteNotOpen\(0x[0-9a-f]{64}\)\. No transaction was sent\.$/,
      ),
    })
    expect(sent).toHaveLength(1)
    // A call that is rejected before it is sent adds no cost.
    expect(context.failure).toEqual({ spending: spent })
  })

  test('error: nothing is sent after an interruption', async () => {
    const chain = await connectChain(devnet.rpcUrl, devnet.chainId)
    const sent: Hex[] = []
    const interrupted = { ...undisturbed((hash) => sent.push(hash)), signal: AbortSignal.abort('SIGINT') }
    await expect(
      sendTransaction(chain, devnet.rpcUrl, account(), raiseNonceParameters(), interrupted),
    ).rejects.toMatchObject({ code: 'ABORTED', sent: 'no' })
    expect(sent).toEqual([])
  })

  test('error: a failed send shows neither the node nor the key', async () => {
    const node = await startNode(devnet.rpcUrl, { eth_sendRawTransaction: { error: { code: -32_000, message: 'no' } } })
    const chain = await connectChain(node.url, devnet.chainId)
    const error = await sendTransaction(chain, node.url, account(), raiseNonceParameters(), undisturbed()).catch(
      (failure) => failure,
    )
    expect(error).toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      message: expect.stringContaining('check whether it was sent before you try again'),
    })
    expect(error.message).not.toContain('secret')
    node.close()
  })

  test('error: a transaction that is mined and reverts', async () => {
    const status = '0x0'
    const hash = `0x${'1'.repeat(64)}`
    const receipt = {
      status,
      transactionHash: hash,
      blockHash: hash,
      blockNumber: '0x1',
      transactionIndex: '0x0',
      logs: [],
      gasUsed: '0x1',
      cumulativeGasUsed: '0x1',
      type: '0x2',
      contractAddress: null,
    }
    const node = await startNode(devnet.rpcUrl, {
      eth_sendRawTransaction: { result: hash },
      eth_getTransactionReceipt: { result: receipt },
    })
    const chain = await connectChain(node.url, devnet.chainId)
    await expect(
      sendTransaction(chain, node.url, account(), raiseNonceParameters(), undisturbed()),
    ).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      shortMessage: `The transaction ${hash} was mined but reverted.`,
    })
    node.close()
  })
})
