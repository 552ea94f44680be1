import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Abi, type Hex, isHash, type WriteContractParameters } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { tabStorage } from '../service/browserStorage.ts'
import { isUnderWay, stepTransaction, type Transaction, type TransactionEvent } from './transaction.ts'
import { useChain } from './useChain.ts'

/** A contract call, as the SDK's `…Parameters` give it. */
export type ContractCall = {
  address: Hex
  abi: Abi | readonly unknown[]
  functionName: string
  args: readonly unknown[]
}

// Outside of the views, as auctions are: a transaction that is confirmed in the wallet after its view was left is kept.
const idle: Transaction = { state: 'idle' }
const known = new Map<string, Transaction>()
const listeners = new Set<() => void>()

/**
 * Sends one transaction through the connected wallet and follows it into its block.
 *
 * @param key where its hash is kept for as long as the tab lives, for a later visit of the view.
 */
export function useTransaction(key: string): { transaction: Transaction; send: (call: ContractCall) => Promise<void> } {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const transaction = useSyncExternalStore(subscribe, () => find(key))

  // What has ended is shown once; the next visit asks for its receipt again.
  useEffect(() => () => void (isUnderWay(find(key)) || known.delete(key)), [key])

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

  const send = useCallback(
    async (call: ContractCall) => {
      // A second click comes before the first one has been drawn.
      if (!client || isUnderWay(find(key))) return
      step(key, { type: 'asked' })
      try {
        const sent = await writeContract(client, {
          ...call,
          account: client.account,
          chain: client.chain ?? null,
        } as WriteContractParameters)
        step(key, { type: 'sent', hash: sent })
      } catch (error) {
        step(key, { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
      }
    },
    [client, key],
  )
  return { transaction, send }
}

/** Whether this tab has sent, or is about to send, a transaction under a key. */
export function hasTransaction(key: string): boolean {
  return find(key).state !== 'idle'
}

function find(key: string): Transaction {
  const before = known.get(key)
  if (before) return before
  const hash = tabStorage.getItem(storageKey(key))
  const transaction: Transaction = hash !== null && isHash(hash) ? { state: 'sent', hash } : idle
  known.set(key, transaction)
  return transaction
}

function step(key: string, event: TransactionEvent): void {
  const next = stepTransaction(find(key), event)
  known.set(key, next)
  if (next.state === 'sent') tabStorage.setItem(storageKey(key), next.hash)
  if (next.state === 'failed' && next.hash === null) tabStorage.removeItem(storageKey(key))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function storageKey(key: string): string {
  return `firmquote.transaction.${key}`
}
