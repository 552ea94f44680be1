import type { Address, Client, Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, amountOf, type Call, partsOf, readCalls, wordOf } from './aggregate.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'

/** What makers could pay, by token and maker in the case that they were given: the lesser of balance and allowance, raw units. */
export type Funds = { block: BlockRef; funds: Map<Address, Map<Address, bigint>> }

/**
 * Reads what makers could pay of some tokens through the quote market, all at one block, so that the same tokens never count
 * for two makers.
 *
 * @throws {ChainUnavailableError} when anything could not be read.
 */
export async function readFunds(
  client: Client,
  { quoteMarket, makers, tokens }: { quoteMarket: Address; makers: readonly Address[]; tokens: readonly Address[] },
): Promise<Funds> {
  try {
    const block = await readLatestBlock(client)
    const calls = new Map<string, Call>()
    const ask = (address: Address, selector: Hex, ...words: Hex[]) =>
      addCall(calls, { address, data: `${selector}${words.map(wordOf).join('')}` })
    const keys = tokens.flatMap((token) =>
      makers.map((maker) => ({
        token,
        maker,
        balance: ask(token, selectors.balanceOf, maker),
        allowance: ask(token, selectors.allowance, maker, quoteMarket),
      })),
    )
    const read = await Promise.all(partsOf(calls).map((part) => readCalls(client, part, block.number)))
    const answers = new Map(read.flatMap((part) => [...part]))
    const funds = new Map<Address, Map<Address, bigint>>(tokens.map((token) => [token, new Map()]))
    for (const { token, maker, balance, allowance } of keys) {
      const [has, allows] = [amountOf(answers.get(balance)), amountOf(answers.get(allowance))]
      const amounts = funds.get(token)
      if (has < allows) amounts?.set(maker, has)
      else amounts?.set(maker, allows)
    }
    return { block, funds }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('The chain could not be read.', { cause })
  }
}
