import { ChainUnavailableError, interestRatePoolAbi } from '@firmquote/core'
import { parseUint256 } from '@firmquote/core/utils'
import { observationWindow, observeParameters } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import {
  type ChainOptions,
  type ConnectedChain,
  connectChain,
  connectService,
  requireRpcUrl,
  type ServiceOptions,
} from '../connect.ts'
import { type Context, show } from '../context.ts'
import { NotExecutableError, UsageError } from '../errors.ts'
import { showInstant } from '../format/show.ts'
import { type AccountOptions, loadAccount } from '../loadAccount.ts'
import { readPositions } from '../readPositions.ts'
import { type ContractCall, sendTransaction } from '../sendTransaction.ts'

/** How much more gas a checkpoint needs than a reading, at most. */
const checkpointGas = 30_000n

/** Options of `firmquote observe`. */
export type ObserveOptions = ServiceOptions & ChainOptions & AccountOptions

/**
 * Reads the index of a series on-chain, from a day before its expiry. From the expiry on, this creates the checkpoint.
 * Sends nothing if the series has its checkpoint.
 *
 * @param target a position's number or a series' key.
 * @throws {NotExecutableError} `POSITION_NOT_FOUND` or `SERIES_NOT_FOUND`; `TOO_EARLY` before that day. Nothing is sent.
 * @throws the errors of `sendTransaction`.
 */
export async function observe(context: Context, target: string, options: ObserveOptions): Promise<void> {
  const parsed = parseTarget(target)
  const account = await loadAccount(context, options)
  const rpcUrl = requireRpcUrl(context, options)
  const { chainId, interestRatePoolAddress: pool } = connectService(context, options).getConfig()
  const chain = await connectChain(rpcUrl, chainId)
  const seriesKey = typeof parsed === 'string' ? parsed : await seriesOf(chain, pool, parsed)
  const { expiry, checkpointedAt, now } = await readSeries(chain, pool, seriesKey)
  const from = expiry - BigInt(observationWindow)
  if (now < from) {
    const when = `The index can be observed from ${showInstant(from)}, one day before the expiry.`
    throw new NotExecutableError('TOO_EARLY', `${when} No transaction was sent.`)
  }
  if (checkpointedAt !== 0n) {
    show(context, options.json, { seriesKey, checkpointed: true, readAt: checkpointedAt }, () => {
      const what = `The series has had its checkpoint since ${showInstant(checkpointedAt)}.`
      return `${what} No transaction was sent.`
    })
    return
  }
  const call = observeParameters({ seriesKey, interestRatePoolAddress: pool })
  const gas = await estimateGas(chain, account.address, call)
  const { logs, transactionHash, blockNumber } = await sendTransaction(
    chain,
    rpcUrl,
    account,
    { ...call, gas },
    {
      ...context,
      onSent: (sent) => {
        if (!options.json) context.write(`Sent ${sent}, waiting for it to be mined.\n`)
      },
    },
  )
  const ofPool = logs.filter(({ address }) => isAddressEqual(address, pool))
  const [event] = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: ['SeriesObserved', 'SeriesCheckpointed'],
    logs: ofPool,
  })
  // Another account may have created the checkpoint first. The call then has no effect.
  const checkpointed = event?.eventName !== 'SeriesObserved'
  const { index, readAt } = event?.args ?? {}
  show(context, options.json, { seriesKey, checkpointed, index, readAt, transactionHash, blockNumber }, () =>
    context.style.good(
      checkpointed
        ? `The series has its checkpoint as of block ${blockNumber}. The payouts of its positions are final.`
        : `The index was observed in block ${blockNumber}. The payouts are interpolated from it.`,
    ),
  )
}

/** Parses a series' key or a position's number. The error does not contain the text, because it might be a key. */
function parseTarget(text: string): Hex | bigint {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Hex
  const positionId = parseUint256(text)
  if (positionId !== null) return positionId
  throw new UsageError("Pass a position's number, or a series' key: 0x followed by 64 hex digits.")
}

/** Adds the cost of creating the checkpoint to the estimate, because the call may be mined at the expiry. */
async function estimateGas(chain: ConnectedChain, account: Address, call: ContractCall): Promise<bigint> {
  const estimated = await chain.estimateContractGas({ ...call, account }).catch((cause: unknown) => {
    throw new ChainUnavailableError('Failed to estimate the gas. No transaction was sent.', { cause })
  })
  return estimated + checkpointGas
}

async function seriesOf(chain: ConnectedChain, pool: Address, positionId: bigint): Promise<Hex> {
  const [position] = await readPositions(chain, pool, [positionId])
  if (!position) throw new TypeError('One position was read.')
  return position.seriesKey
}

/** Reads a series as of a single block. Times are in Unix seconds; `checkpointedAt` is zero before the checkpoint. */
async function readSeries(
  chain: ConnectedChain,
  pool: Address,
  seriesKey: Hex,
): Promise<{ expiry: bigint; checkpointedAt: bigint; now: bigint }> {
  const read = { address: pool, abi: interestRatePoolAbi, args: [seriesKey] } as const
  const found = await readAll().catch((cause: unknown) => {
    throw new ChainUnavailableError('Failed to read the series from the chain.', { cause })
  })
  if (found.expiry === 0n) throw new NotExecutableError('SERIES_NOT_FOUND', 'The pool has no series with this key.')
  return found

  async function readAll() {
    const { number: blockNumber, timestamp: now } = await chain.getBlock()
    const [[, expiry], [, checkpointedAt]] = await Promise.all([
      chain.readContract({ ...read, functionName: 'series', blockNumber }),
      chain.readContract({ ...read, functionName: 'checkpoints', blockNumber }),
    ])
    return { expiry, checkpointedAt, now }
  }
}
