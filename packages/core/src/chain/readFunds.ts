import type { Address, Client, Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, type Call, chunkCalls, decodeUint, encodeWord, readCalls } from './aggregate.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'

/**
 * Makers' funds, keyed by token and by maker address as passed in. A maker's funds are the lesser of its balance and
 * allowance, in raw units.
 */
export type Funds = { block: BlockRef; funds: Map<Address, Map<Address, bigint>> }

/**
 * Reads how much the quote market can collect from makers. All values are from a single block, so that a transfer
 * between two makers is not counted twice.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readFunds(
  client: Client,
  { quoteMarket, makers, tokens }: { quoteMarket: Address; makers: readonly Address[]; tokens: readonly Address[] },
): Promise<Funds> {
  try {
    const block = await readLatestBlock(client)
    const calls = new Map<string, Call>()
    const ask = (address: Address, selector: Hex, ...words: Hex[]) =>
      addCall(calls, { address, data: `${selector}${words.map(encodeWord).join('')}` })
    const keys = tokens.flatMap((token) =>
      makers.map((maker) => ({
        token,
        maker,
        balance: ask(token, selectors.balanceOf, maker),
        allowance: ask(token, selectors.allowance, maker, quoteMarket),
      })),
    )
    const read = await Promise.all(chunkCalls(calls).map((part) => readCalls(client, part, block.number)))
    const answers = new Map(read.flatMap((part) => [...part]))
    const funds = new Map<Address, Map<Address, bigint>>(tokens.map((token) => [token, new Map()]))
    for (const { token, maker, balance, allowance } of keys) {
      const [has, allows] = [decodeUint(answers.get(balance)), decodeUint(answers.get(allowance))]
      const amounts = funds.get(token)
      if (has < allows) amounts?.set(maker, has)
      else amounts?.set(maker, allows)
    }
    return { block, funds }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('Failed to read the chain.', { cause })
  }
}
