// Why: docs/decisions/0044-stateless-keeper.md
import type { Address } from 'viem'
import {
  batchSize,
  chooseSettlements,
  inOwnOrder,
  isWorth,
  type KeeperRules,
  withdrawalGas,
} from '../domain/keeping.ts'
import type { ChainPosition, PositionChain } from '../ports/positionChain.ts'
import type { Counts } from './daemonMetrics.ts'
import type { PositionBook } from './positionBook.ts'

/** What {@link createKeeper} needs. */
export type KeeperDeps = {
  maker: Address
  rules: KeeperRules
  chain: PositionChain
  book: PositionBook
  /** Whether nothing must be sent now. */
  isHeldBack(): boolean
  counts: Pick<Counts, 'settled'>
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** Settles matured positions and withdraws what is credited to the maker. It remembers nothing: the chain says what is left. */
export type Keeper = {
  /**
   * One round: what can be settled and is worth it now.
   *
   * @throws {ChainUnavailableError} when the chain could not be read.
   * @throws {TransactionError} when a transaction was not sent, was reverted, or is not part of a block yet.
   */
  keep(): Promise<void>
}

/** Transactions of one round at most. */
const mostBatches = 20

/** Creates it. */
export function createKeeper({ maker, rules, chain, book, isHeldBack, counts, log }: KeeperDeps): Keeper {
  /** The price of gas; null when nothing is to be sent now. */
  async function findGasPrice(): Promise<bigint | null> {
    if (isHeldBack()) return null
    const { gasPrice, isPending } = await chain.readGasMoney()
    // One transaction at a time: one that waits would hold up what is behind it.
    return isPending || gasPrice > rules.maxGasPrice ? null : gasPrice
  }

  /** @returns whether a transaction was sent. */
  async function settle(positions: readonly ChainPosition[], gasPrice: bigint): Promise<boolean> {
    // At the newest block: another keeper may have settled them a moment ago. What would settle nothing is not sent.
    const { now, settlements } = await chain.simulateSettlements(positions)
    const byId = new Map(positions.map((position) => [position.positionId, position]))
    const candidates = settlements.flatMap((settlement) => {
      const position = byId.get(settlement.positionId)
      return position ? [{ ...settlement, expiry: position.expiry, isOwn: book.isOwn(position) }] : []
    })
    const ids = chooseSettlements(candidates, { now, gasPrice }, rules)
    if (ids.length === 0) return false
    const done = await chain.settleMany(ids, rules.maxGas)
    if (done === null) {
      log.warn({ positionIds: ids.slice(0, 1) }, 'a position takes more gas to settle than keeperMaxGas')
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
        const { transactionHash } = await chain.withdraw(loanToken)
        log.info({ transactionHash, loanToken, amount }, 'withdrawn')
      } catch (err) {
        // A token may refuse the maker; the others do not wait for it.
        log.warn({ err, loanToken }, 'what is credited could not be withdrawn')
      }
    }
  }

  return {
    async keep() {
      if (rules.mode === 'off') return
      const mature = book.mature().filter((position) => rules.mode === 'all' || book.isOwn(position))
      const positions = inOwnOrder(mature, maker)
      const size = batchSize(rules)
      let sent = 0
      for (let start = 0; start < positions.length && sent < mostBatches; start += size) {
        const gasPrice = await findGasPrice()
        if (gasPrice === null) return
        if (await settle(positions.slice(start, start + size), gasPrice)) sent += 1
      }
      await withdraw()
    },
  }
}
