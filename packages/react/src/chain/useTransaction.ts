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

/** An encoded call from `takeCalls`, or a contract call from an SDK `…Parameters` function. */
export type TransactionCall =
  | Pick<TakeCall, 'to' | 'data' | 'value'>
  | { address: Address; abi: Abi | readonly unknown[]; functionName: string; args: readonly unknown[] }

/** A transaction, and functions to send it. */
export type TransactionResult = {
  transaction: Transaction
  /** Whether the transaction is waiting for the wallet or to be mined. */
  isPending: boolean
  /**
   * Why the transaction was not sent, or why its outcome is unknown. One of viem's wallet errors or of this package's
   * errors. A revert is not an error.
   */
  error: Error | null
  /** Like {@link TransactionResult.mutateAsync}, but reports failures only through `error`. */
  mutate(calls: TransactionCall | readonly TransactionCall[]): void
  /**
   * Asks the wallet to send one call, or several as an atomic batch (EIP-5792). Resolves once the wallet has accepted
   * the request. `transaction` tracks the outcome.
   *
   * @throws {NotReadyError} if no wallet is connected on the right chain, or a transaction is pending.
   * @throws viem's wallet errors.
   */
  mutateAsync(calls: TransactionCall | readonly TransactionCall[]): Promise<void>
  /**
   * Stops waiting for an unresponsive wallet, so that a new request can be sent. If the user later confirms both
   * requests, the hook tracks the transaction that is sent first.
   */
  giveUp(): void
}

// Module state, so that a transaction confirmed after its view unmounts is still tracked. The prefix marks batch ids,
// which may look like transaction hashes.
const callsPrefix = 'calls:'
const tabStorage = openStorage(() => sessionStorage)
const idle: Transaction = { state: 'idle' }
const known = new Map<string, Transaction>()
/**
 * The latest wallet request for each key, unless the app stopped waiting for it. Rejections of other requests are
 * ignored.
 */
const asked = new Map<string, symbol>()
const listeners = new Set<() => void>()

/**
 * Sends one transaction through the connected wallet and tracks it until it is mined, even across reloads.
 *
 * @param key Storage key for its hash or batch id, which are stored for the lifetime of the tab.
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

  // Drop a finished transaction on unmount; the next visit fetches its receipt again.
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
        // Apply both state changes even after the view unmounts, because the second depends on the first.
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
      // A second click can arrive before the first one's state change has rendered.
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

/**
 * Whether this tab has sent, or is about to send, a transaction under the given key. {@link useTake} uses the quote's
 * hash as its key.
 */
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

/** Whether a transaction was sent or mined. A later transaction under the same key must not replace it. */
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
