// Why: docs/decisions/0044-stateless-keeper.md
import type { Address } from 'viem'
import {
  batchSize,
  chooseSettlements,
  feePerGas,
  isWorth,
  type KeeperRules,
  rotateByKeeper,
  withdrawalGas,
} from '../domain/keeping.ts'
import type { ChainPosition, PositionChain } from '../ports/positionChain.ts'
import type { Counts } from './daemonMetrics.ts'
import type { PositionBook } from './positionBook.ts'

/** Dependencies of {@link createKeeper}. */
export type KeeperDeps = {
  maker: Address
  rules: KeeperRules
  chain: PositionChain
  book: PositionBook
  /** Whether transactions are currently disabled. */
  isDisabled(): boolean
  counts: Pick<Counts, 'settled'>
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/**
 * Settles matured positions and withdraws the maker's credits. The keeper is stateless: each round reads the remaining
 * work from the chain.
 */
export type Keeper = {
  /**
   * Runs one round: settles and withdraws everything that is currently worth the gas.
   *
   * @throws {ChainUnavailableError} if a chain read fails.
   * @throws {TransactionError} if a transaction was not sent, was reverted, or has not been mined yet.
   */
  keep(): Promise<void>
}

/** Maximum number of transactions per round. */
const maxBatches = 20

/** Creates the keeper. */
export function createKeeper({ maker, rules, chain, book, isDisabled, counts, log }: KeeperDeps): Keeper {
  /** Returns the current gas price, or null if no transaction should be sent now. */
  async function findGasPrice(): Promise<bigint | null> {
    if (isDisabled()) return null
    const { gasPrice, isPending } = await chain.readGasFunds()
    // Send one transaction at a time, because a pending transaction would delay the next.
    return isPending || gasPrice > rules.maxGasPrice ? null : gasPrice
  }

  /**
   * Settles positions.
   *
   * @returns whether a transaction was sent.
   */
  async function settle(positions: readonly ChainPosition[], gasPrice: bigint): Promise<boolean> {
    // Simulate at the newest block, because another keeper may have just settled some positions. Batches without a
    // valid settlement are not sent.
    const { now, settlements } = await chain.simulateSettlements(positions)
    const byId = new Map(positions.map((position) => [position.positionId, position]))
    const candidates = settlements.flatMap((settlement) => {
      const position = byId.get(settlement.positionId)
      return position ? [{ ...settlement, expiry: position.expiry, isOwn: book.isOwn(position) }] : []
    })
    const ids = chooseSettlements(candidates, { now, gasPrice }, rules)
    if (ids.length === 0) return false
    const done = await chain.settleMany(ids, rules.maxGas, feePerGas(gasPrice, rules))
    if (done === null) {
      log.warn({ positionIds: ids.slice(0, 1) }, 'settling one position exceeds keeperMaxGas')
      return false
    }
    const { transactionHash, settled, gasUsed } = done
    counts.settled(settled.length)
    log.info({ transactionHash, positions: settled.length, gasUsed }, 'settled')
    return true
  }

  async function withdraw(): Promise<void> {
    for (const { loanToken, amount, decimals } of await chain.readCredits(book.ownTokens())) {
      const gasPrice = await findGasPrice()
      if (gasPrice === null) return
      if (!isWorth(amount, withdrawalGas, { decimals, gasPrice }, rules)) continue
      try {
        const { transactionHash } = await chain.withdraw(loanToken, feePerGas(gasPrice, rules))
        log.info({ transactionHash, loanToken, amount }, 'withdrawn')
      } catch (err) {
        // A token may reject transfers to the maker. Continue with the other tokens.
        log.warn({ err, loanToken }, 'failed to withdraw credits')
      }
    }
  }

  return {
    async keep() {
      if (rules.mode === 'off') return
      const mature = book.mature().filter((position) => rules.mode === 'all' || book.isOwn(position))
      const positions = rotateByKeeper(mature, maker)
      const size = batchSize(rules)
      let sent = 0
      for (let start = 0; start < positions.length && sent < maxBatches; start += size) {
        const gasPrice = await findGasPrice()
        if (gasPrice === null) return
        if (await settle(positions.slice(start, start + size), gasPrice)) sent += 1
      }
      await withdraw()
    },
  }
}
