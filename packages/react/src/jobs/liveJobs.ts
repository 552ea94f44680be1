// Why: docs/decisions/0075-one-job-machine.md
import type { SignedQuote } from '@firmquote/sdk'
import {
  type AskedQuote,
  decodeJob,
  encodeJob,
  type FillWitness,
  type Job,
  type JobContracts,
  type JobPlan,
  type JobRunner,
  type JobSnapshot,
  type JobTerms,
  type Request,
  readOutcome,
  requireReverted,
  runJob,
} from '@firmquote/sdk/jobs'
import type { Hex, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { AccountBusyError, NotReadyError } from '../errors.ts'
import { openStorage } from '../openStorage.ts'
import { askWallet, type JobCall, type WalletClient, watchWallet } from './askWallet.ts'

/** A plan whose requests contain their calls. */
export type CallPlan = Omit<JobPlan, 'forms'> & {
  forms: readonly (Request & { calls: readonly JobCall[] })[]
  /** The quotes that the plan takes, if any. */
  quotes?: readonly AskedQuote[]
}

/** A view's part in a job. */
export type JobPlanner = {
  /** Plans the next request. `only` restricts it to these quotes. */
  plan(job: Job, client: WalletClient, only: readonly Hex[] | null): CallPlan | Promise<CallPlan>
  /** The quotes that the job may take. */
  signed: ReadonlyMap<Hex, SignedQuote>
}

/** The terms that a press accepts, if the job takes quotes. */
export type Consent = { terms?: JobTerms; chosen?: readonly Hex[] }

/** The page's state that a job uses. Replaced at every render. */
type Surroundings = {
  client: WalletClient | null
  contracts: JobContracts
  /** The service, which confirms that a take has failed. */
  service: FillWitness
  planner: JobPlanner
  /** The latest block. */
  block: bigint | undefined
}

/** A job's state, the receipts of its transactions by hash, the last plan's quotes, and why it could not start. */
export type LiveSnapshot = JobSnapshot & {
  receipts: ReadonlyMap<Hex, TransactionReceipt>
  planned: readonly AskedQuote[]
  blocked: AccountBusyError | null
}

/** A job on this page. */
export type LiveJob = ReturnType<typeof createLiveJob>

// Module state, so that a job outlives its view, and React's repeated renders do not start it twice.
const live = new Map<string, LiveJob>()
/** Takes outlive their tab, because taking again could fix too much. */
const takeStorage = openStorage(() => localStorage)
/** Position numbers and the like recur once a development chain restarts, so other jobs end with their tab. */
const otherStorage = openStorage(() => sessionStorage)
const prefix = 'firmquote.job.'
/** How long a press waits for the account's previous request, whose end the page may show before its job ends. */
const busyMs = 5_000

/** Returns the page's job with `initial`'s id. If none is running, it is restored from storage or created. */
export function findJob(initial: Job): LiveJob {
  const found = live.get(initial.id)
  if (found) return found
  const created = createLiveJob(initial)
  live.set(initial.id, created)
  return created
}

/** Whether this browser has a job with an id that takes quotes and has asked the wallet. */
export function hasAsked(id: string): boolean {
  const job = live.get(id)?.read().job ?? decodeJob(takeStorage.getItem(prefix + id))
  return job !== null && job.attempts > 0
}

function createLiveJob(initial: Job) {
  const { id, account, chainId } = initial
  const jobStorage = initial.notional > 0n ? takeStorage : otherStorage
  const receipts = new Map<Hex, TransactionReceipt>()
  const listeners = new Set<() => void>()
  /** The latest state from each view. */
  const views = new Map<object, Surroundings>()
  let surroundings: Surroundings | null = null
  /** The view that runs the job. While it does, the job ignores other views. */
  let owner: object | null = null
  /** The job as last stored or read by this tab. */
  let stored: string | null = null
  let forms: CallPlan['forms'] = []
  let planned: readonly AskedQuote[] = []
  let runner: JobRunner = start()
  let blocked: AccountBusyError | null = null
  let snapshot: LiveSnapshot = { ...runner.read(), receipts, planned, blocked }
  let hasBegun = false
  let isHolder = false
  let isLeft = false
  /** The press that waits for the account's lock. */
  let waiting: Promise<void> | null = null

  const access = () => {
    if (!surroundings?.client) throw new NotReadyError()
    return { ...surroundings, client: surroundings.client }
  }
  const update = () => {
    snapshot = { ...runner.read(), receipts, planned, blocked }
    for (const listener of [...listeners]) listener()
  }

  function start(): JobRunner {
    stored = jobStorage.getItem(prefix + id)
    const started = runJob(decodeJob(stored) ?? initial, {
      persist(job) {
        // Another tab may run the job.
        if (!isHolder) return
        stored = encodeJob(job)
        jobStorage.setItem(prefix + id, stored)
      },
      async readPlan(job, only) {
        const { client, planner } = access()
        const { quotes = [], ...plan } = await planner.plan(job, client, only)
        planned = quotes
        forms = plan.forms
        return { ...plan, forms: forms.map(({ calls: _, ...request }) => request) }
      },
      async readOutcome(_job, quotes) {
        const { client, contracts, planner } = access()
        return readOutcome(client, quotes, { ...contracts, account, signed: planner.signed })
      },
      async ask(_job, { kind, quotes }) {
        const { calls = [] } = forms.find((form) => form.kind === kind) ?? {}
        return askWallet(access().client, calls, { chainId, takes: quotes.length > 0 })
      },
      async watch(_job, attempt, onReplaced) {
        const { client, contracts, service } = access()
        const { receipt, mined } = await watchWallet(client, attempt, contracts, onReplaced)
        const failed = attempt.quotes.filter(({ hash }) => !mined.fills.some((fill) => fill.hash === hash))
        if (failed.length > 0) {
          await requireReverted(
            service,
            client,
            receipt,
            failed.map(({ hash }) => hash),
          )
        }
        receipts.set(receipt.transactionHash, receipt)
        return mined
      },
    })
    started.subscribe(() => started === runner && update())
    return started
  }

  const connect = (client = surroundings?.client ?? null) =>
    runner.send({ type: 'connection', account: client?.account.address ?? null, chainId: client && chainId })
  const begin = () => {
    if (decodeJob(stored) !== null) runner.send({ type: 'restored' })
    connect()
    void fetchLast()
  }
  /** A reload forgets the receipt of the last transaction. */
  const fetchLast = async () => {
    const { last } = runner.read().job
    const { client } = surroundings ?? {}
    if (last?.attempt.stage.name !== 'sent' || last.block === null || !client) return
    const { hash } = last.attempt.stage
    const receipt = await getTransactionReceipt(client, { hash }).catch(() => null)
    if (receipt) receipts.set(hash, receipt)
    update()
  }
  const isBusy = () => runner.read().job.isRunning || runner.read().job.attempt !== null
  const listen = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const run = (consent: Consent) =>
    new Promise<void>((resolve) => {
      const stop = listen(() => {
        if (isBusy()) return
        stop()
        resolve()
      })
      isHolder = true
      runner.send({ type: 'pressed', ...consent })
    })
  return {
    read: () => snapshot,
    subscribe: listen,
    /** Gives the job what a view knows now. */
    surround(view: object, next: Surroundings) {
      views.set(view, next)
      if (owner && owner !== view && isBusy()) return
      const before = surroundings
      surroundings = next
      if (!hasBegun && next.client) {
        hasBegun = true
        begin()
      } else if (isLeft || before?.client !== next.client) {
        connect()
      }
      isLeft = false
      if (runner.read().job.phase.name === 'unknown' && before?.block !== next.block) runner.send({ type: 'block' })
    },
    /** The view ended, so the job asks the wallet no more. It keeps watching. */
    leave(view: object) {
      views.delete(view)
      if (owner && owner !== view) return
      owner = null
      isLeft = true
      connect(null)
    },
    /** Agrees to the job and waits until it rests. One job of an account runs at a time, in all tabs. */
    async press(view: object, consent: Consent) {
      if (waiting) return waiting
      owner = view
      surroundings = views.get(view) ?? null
      blocked = null
      // Browsers have locks only on secure origins.
      if (!navigator.locks) return run(consent)
      const controller = new AbortController()
      const { signal } = controller
      const timer = setTimeout(() => controller.abort(), busyMs)
      waiting = navigator.locks
        .request(`${prefix}${chainId}.${account}`, { signal }, async () => {
          waiting = null
          clearTimeout(timer)
          // Another tab may have continued the job.
          if (jobStorage.getItem(prefix + id) !== stored) {
            runner = start()
            begin()
          }
          return run(consent).finally(() => {
            isHolder = false
          })
        })
        .catch((error) => {
          waiting = null
          if (!signal.aborted) throw error
          blocked = new AccountBusyError()
          update()
        })
      return waiting
    },
    giveUp: () => runner.send({ type: 'gaveUp' }),
    /** Only on this page: another tab may have stored a later state of the job. */
    reset() {
      blocked = null
      runner.send({ type: 'reset' })
    },
  }
}
