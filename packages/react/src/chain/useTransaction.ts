import { requestCalls, type TakeCall, waitForCalls } from '@firmquote/sdk'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import {
  type Abi,
  type Account,
  type Address,
  type Client,
  type EncodeFunctionDataParameters,
  ExecutionRevertedError,
  encodeFunctionData,
  isHash,
} from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { NotReadyError } from '../errors.ts'
import { openStorage } from '../openStorage.ts'
import { useService } from '../service/serviceContext.ts'
import { isTransactionPending, stepTransaction, type Transaction, type TransactionEvent } from './transaction.ts'
import { useChain } from './useChain.ts'

/** A call: encoded, as `takeCalls` has it, or a contract's, as the SDK's `…Parameters` give it. */
export type TransactionCall =
  | Pick<TakeCall, 'to' | 'data' | 'value'>
  | { address: Address; abi: Abi | readonly unknown[]; functionName: string; args: readonly unknown[] }

/** A transaction, and a way to send it. */
export type TransactionResult = {
  transaction: Transaction
  /** It is under way: shown by the wallet, or not in a block yet. */
  isPending: boolean
  /** Why it was not sent, or why nothing is known of it any more: of the wallet (viem's), or of this package. A revert is none. */
  error: Error | null
  /** As {@link TransactionResult.mutateAsync}, with what has failed in `error` alone. */
  mutate(calls: TransactionCall | readonly TransactionCall[]): void
  /**
   * Asks the wallet to send one call, or several as one (EIP-5792). Resolves as soon as the wallet has taken it; `transaction` says
   * what becomes of it.
   *
   * @throws {NotReadyError} when there is no wallet on the right chain, or one is under way already; viem's errors of the wallet.
   */
  mutateAsync(calls: TransactionCall | readonly TransactionCall[]): Promise<void>
  /**
   * Waits no longer for a wallet that does not answer, so that it can be asked again. Should it send what it was asked for first after
   * all, that is followed: whichever is on its way first.
   */
  giveUp(): void
}

// Outside of the views, as auctions are: a transaction that is confirmed in the wallet after its view was left is kept.
// Before the id of calls, which may look like the hash of a transaction.
const callsPrefix = 'calls:'
const tabStorage = openStorage(() => sessionStorage)
const idle: Transaction = { state: 'idle' }
const known = new Map<string, Transaction>()
/** By key, what was asked of the wallet last and is not given up: of anything else, a refusal is no news. */
const asked = new Map<string, symbol>()
const listeners = new Set<() => void>()

/**
 * Sends one transaction through the connected wallet and follows it into its block, also after a reload.
 *
 * @param key where its hash, or the wallet's id of its calls, is kept for as long as the tab lives.
 * @example
 * ```tsx
 * const { transaction, mutate } = useTransaction(`settle.${positionId}`)
 *
 * <button onClick={() => mutate(settleParameters({ positionId }))}>Settle</button>
 * {transaction.state === 'confirmed' && <p>In block {transaction.block.toString()}</p>}
 * ```
 */
export function useTransaction(key: string): TransactionResult {
  const { chainId } = useService().config
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const transaction = useSyncExternalStore(subscribe, () => find(key), readIdle)

  // What has ended is shown once; the next visit asks for its receipt again.
  useEffect(() => () => void (isTransactionPending(find(key)) || known.delete(key)), [key])

  const hash = transaction.state === 'sent' ? transaction.hash : null
  useEffect(() => {
    if (!hash || !client) return
    let left = false
    const tell = (event: TransactionEvent) => {
      if (!left) step(key, event)
    }
    waitForTransactionReceipt(client, {
      hash,
      onReplaced: ({ reason, transaction: { hash: by } }) =>
        tell({ type: 'replaced', hash, by, same: reason === 'repriced' }),
    }).then(
      ({ status, blockNumber, logs, transactionHash }) =>
        tell({ type: 'mined', hash: transactionHash, ok: status === 'success', block: blockNumber, logs }),
      (error: Error) => tell({ type: 'failed', error }),
    )
    return () => {
      left = true
    }
  }, [key, hash, client])

  const id = transaction.state === 'called' ? transaction.id : null
  useEffect(() => {
    if (id === null || !client) return
    let left = false
    const tell = (event: TransactionEvent) => {
      if (!left) step(key, event)
    }
    waitForCalls(client, { id, publicClient: client }).then(
      ({ status, blockNumber, logs, transactionHash: hash }) => {
        // Both, also when the view is left meanwhile: the second means nothing without the first.
        step(key, { type: 'sent', hash })
        step(key, { type: 'mined', hash, ok: status === 'success', block: blockNumber, logs })
      },
      (error: Error) => tell({ type: error instanceof ExecutionRevertedError ? 'dropped' : 'failed', error }),
    )
    return () => {
      left = true
    }
  }, [key, id, client])

  const mutateAsync = useCallback<TransactionResult['mutateAsync']>(
    async (calls) => {
      // A second click comes before the first one has been drawn.
      if (!client || isTransactionPending(find(key))) throw new NotReadyError()
      const asking = Symbol(key)
      asked.set(key, asking)
      step(key, { type: 'asked' })
      try {
        const taken = await request(client, isSeveral(calls) ? calls.map(encode) : [encode(calls)], chainId)
        if (!isSent(find(key))) step(key, taken)
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        if (asked.get(key) === asking && !isSent(find(key))) step(key, { type: 'failed', error })
        throw error
      }
    },
    [client, key, chainId],
  )
  const mutate = useCallback<TransactionResult['mutate']>(
    (calls) => void mutateAsync(calls).catch(() => {}),
    [mutateAsync],
  )
  const giveUp = useCallback(() => {
    asked.delete(key)
    step(key, { type: 'givenUp' })
  }, [key])
  const error = transaction.state === 'failed' ? transaction.error : null
  return { transaction, isPending: isTransactionPending(transaction), error, mutate, mutateAsync, giveUp }
}

type EncodedCall = Pick<TakeCall, 'to' | 'data' | 'value'>

function isSeveral(calls: TransactionCall | readonly TransactionCall[]): calls is readonly TransactionCall[] {
  return Array.isArray(calls)
}

function encode(call: TransactionCall): EncodedCall {
  if ('to' in call) return call
  return { to: call.address, data: encodeFunctionData(call as EncodeFunctionDataParameters), value: 0n }
}

async function request(
  client: Client & { account: Account },
  calls: readonly EncodedCall[],
  chainId: number,
): Promise<TransactionEvent> {
  const { account, chain = null } = client
  const [first, second] = calls
  if (first === undefined) throw new NotReadyError()
  if (second === undefined) {
    const { to, data, value } = first
    return { type: 'sent', hash: await sendTransaction(client, { account, chain, to, data, value }) }
  }
  return { type: 'called', id: await requestCalls(client, calls, { from: account.address, chainId }) }
}

/** Whether this tab has sent, or is about to send, a transaction under a key: that of {@link useTake} is the quote's hash. */
export function hasTransaction(key: string): boolean {
  return find(key).state !== 'idle'
}

function readIdle(): Transaction {
  return idle
}

function find(key: string): Transaction {
  const before = known.get(key)
  if (before) return before
  const transaction = restore(tabStorage.getItem(storageKey(key)))
  known.set(key, transaction)
  return transaction
}

function restore(kept: string | null): Transaction {
  if (kept?.startsWith(callsPrefix)) return { state: 'called', id: kept.slice(callsPrefix.length) }
  return kept !== null && isHash(kept) ? { state: 'sent', hash: kept } : idle
}

function step(key: string, event: TransactionEvent): void {
  const next = stepTransaction(find(key), event)
  known.set(key, next)
  if (next.state === 'called') tabStorage.setItem(storageKey(key), `${callsPrefix}${next.id}`)
  if (next.state === 'sent') tabStorage.setItem(storageKey(key), next.hash)
  if (next.state === 'failed' && next.sentAs === null) tabStorage.removeItem(storageKey(key))
  for (const listener of listeners) listener()
}

/** On its way, or there: what else the wallet sends under the key comes after it. */
function isSent({ state }: Transaction): boolean {
  return state === 'called' || state === 'sent' || state === 'confirmed'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function storageKey(key: string): string {
  return `firmquote.transaction.${key}`
}
