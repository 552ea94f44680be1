import { requestCalls, type TakeCall, waitForCalls } from '@firmquote/sdk'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import {
  type Abi,
  type Account,
  type Client,
  ExecutionRevertedError,
  type Hex,
  isHash,
  type WriteContractParameters,
} from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { tabStorage } from '../service/browserStorage.ts'
import { useService } from '../service/serviceContext.ts'
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
// Before the id of calls, which may look like the hash of a transaction.
const callsPrefix = 'calls:'
const idle: Transaction = { state: 'idle' }
const known = new Map<string, Transaction>()
const listeners = new Set<() => void>()

/**
 * Sends one transaction through the connected wallet and follows it into its block.
 *
 * @param key where its hash, or the wallet's id of its calls, is kept for as long as the tab lives, for a later visit of the view.
 */
export function useTransaction(key: string): {
  transaction: Transaction
  send: (call: ContractCall) => Promise<void>
  /** Several calls as one, through a wallet that can do so. */
  sendTogether: (calls: readonly TakeCall[]) => Promise<void>
} {
  const { chainId } = useService().config
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

  const ask = useCallback(
    async (asking: (client: Client & { account: Account }) => Promise<TransactionEvent>) => {
      // A second click comes before the first one has been drawn.
      if (!client || isUnderWay(find(key))) return
      step(key, { type: 'asked' })
      try {
        step(key, await asking(client))
      } catch (error) {
        step(key, { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
      }
    },
    [client, key],
  )
  const send = useCallback(
    (call: ContractCall) =>
      ask(async (client) => {
        const parameters = { ...call, account: client.account, chain: client.chain ?? null } as WriteContractParameters
        return { type: 'sent', hash: await writeContract(client, parameters) }
      }),
    [ask],
  )
  const sendTogether = useCallback(
    (calls: readonly TakeCall[]) =>
      ask(async (client) => {
        const id = await requestCalls(client, calls, { from: client.account.address, chainId })
        return { type: 'called', id }
      }),
    [ask, chainId],
  )
  return { transaction, send, sendTogether }
}

/** Whether this tab has sent, or is about to send, a transaction under a key. */
export function hasTransaction(key: string): boolean {
  return find(key).state !== 'idle'
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function storageKey(key: string): string {
  return `firmquote.transaction.${key}`
}
