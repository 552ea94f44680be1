import { useCallback, useEffect, useReducer, useRef } from 'react'
import { type Abi, type Hex, isHash, type WriteContractParameters } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { isUnderWay, stepTransaction, type Transaction, type TransactionEvent } from './transaction.ts'
import { useChain } from './useChain.ts'

/** A contract call, as the SDK's `…Parameters` give it. */
export type ContractCall = {
  address: Hex
  abi: Abi | readonly unknown[]
  functionName: string
  args: readonly unknown[]
}

/**
 * Sends one transaction through the connected wallet and follows it into its block.
 *
 * @param key where its hash is remembered for as long as the tab lives: whoever comes back finds it again.
 */
export function useTransaction(key: string): { transaction: Transaction; send: (call: ContractCall) => Promise<void> } {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const [transaction, dispatch] = useReducer(stepTransaction, key, recall)
  const busy = useRef(false)

  const hash = transaction.state === 'sent' ? transaction.hash : null
  useEffect(() => {
    if (!hash || !client) return
    let left = false
    const tell = (event: TransactionEvent) => {
      if (!left) dispatch(event)
    }
    waitForTransactionReceipt(client, { hash }).then(
      ({ status, blockNumber, logs, transactionHash }) => {
        // A wallet may replace a transaction by a dearer one of the same content.
        if (transactionHash !== hash) tell({ type: 'sent', hash: transactionHash })
        tell({ type: 'mined', hash: transactionHash, ok: status === 'success', block: blockNumber, logs })
      },
      (error: Error) => tell({ type: 'failed', error }),
    )
    return () => {
      left = true
    }
  }, [hash, client])

  const send = useCallback(
    async (call: ContractCall) => {
      // A second click comes before the first one has been drawn.
      if (!client || busy.current || isUnderWay(transaction)) return
      busy.current = true
      dispatch({ type: 'asked' })
      try {
        const sent = await writeContract(client, {
          ...call,
          account: client.account,
          chain: client.chain ?? null,
        } as WriteContractParameters)
        sessionStorage.setItem(storageKey(key), sent)
        dispatch({ type: 'sent', hash: sent })
      } catch (error) {
        dispatch({ type: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
      } finally {
        busy.current = false
      }
    },
    [client, key, transaction],
  )
  return { transaction, send }
}

function recall(key: string): Transaction {
  const hash = sessionStorage.getItem(storageKey(key))
  return hash !== null && isHash(hash) ? { state: 'sent', hash } : { state: 'idle' }
}

function storageKey(key: string): string {
  return `firmquote.transaction.${key}`
}
