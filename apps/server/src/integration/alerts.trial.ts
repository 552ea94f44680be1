import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findNats, findPostgres, findPrometheus } from '@firmquote/cluster/findPrograms'
import { startNats } from '@firmquote/cluster/startNats'
import { startPostgres } from '@firmquote/cluster/startPostgres'
import { type Prometheus, startPrometheus } from '@firmquote/cluster/startPrometheus'
import { startDevnet } from '@firmquote/devnet'
import { rounds } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { deployFolder } from '../../test/alertRules.ts'
import { dashboardQueries } from '../../test/dashboard.ts'
import { type RpcProxy, startRpcProxy } from '../../test/rpcProxy.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { canBreakDisks, type FaultyServer, startFaultyServer } from '../../test/startFaultyServer.ts'
import { waitUntil } from '../../test/waitUntil.ts'

// Injects real faults into real servers while a real Prometheus evaluates the shipped rules, with one second per
// minute. Each fault must trigger its own alert and no other, and no alert may fire after the fault is over.

/**
 * Scales all durations in the rules by 1/60. An alert takes at least 1.2 s to fire, because the service itself needs up
 * to a second to detect changes.
 */
function hurried(rules: string): string {
  const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
  const shorten = (_: string, before: string, count: string, name: keyof typeof unit) => {
    const milliseconds = Math.round((Number(count) * unit[name]) / 60)
    return `${before}${before === 'for: ' ? Math.max(1_200, milliseconds) : milliseconds}ms`
  }
  return (
    rules
      .replaceAll(/(for: |\[|offset )(\d+)([smhd])\b/g, shorten)
      // The look-ahead is in seconds. Without scaling, it would extrapolate a minute of other tests' writes so far that
      // any disk would appear to fill up.
      .replaceAll(
        /(predict_linear\(.*?, )(\d+)\)/g,
        (_, before: string, seconds) => `${before}${Number(seconds) / 60})`,
      )
  )
}

const configuration = (instances: readonly string[]) => `
global: { scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: firmquote
    static_configs:
      - targets: ${JSON.stringify(instances)}
`

/** Watches an instance's alerts continuously. Only the alerts in `allowed` may fire. */
function watchAlerts(prometheus: Prometheus, isOurs: (instance: string | null) => boolean) {
  let allowed: string | null = null
  let stopped = false
  let newest: string[] = []
  const looking = (async () => {
    while (!stopped) {
      const ours = (await prometheus.firing()).filter(({ instance }) => isOurs(instance))
      newest = ours.map(({ alert }) => alert)
      const others = ours.filter(({ alert }) => alert !== allowed)
      if (others.length > 0) throw new Error(`During ${allowed}: ${JSON.stringify(others)}`)
      for (const { summary } of ours) expect(summary).toMatch(/^[^<]{20,}\.$/)
      await sleep(50)
    }
  })()
  // The error is reported while waiting or at the end.
  looking.catch(() => {})
  const until = (fires: boolean) => Promise.race([looking, waitUntil(() => newest.length > 0 === fires, 15_000)])
  return {
    async suffer(alert: string, fault: () => unknown, mend: () => unknown) {
      allowed = alert
      await fault()
      await until(true)
      // Any further consequences of the fault appear within a second.
      await Promise.race([looking, sleep(1_000)])
      await mend()
      await until(false)
      allowed = null
      await Promise.race([looking, sleep(500)])
    },
    async stop() {
      stopped = true
      await looking
    },
  }
}

const isReady = findPrometheus() && findPostgres() && findNats() && canBreakDisks
const given = isReady ? test : test.skip
given(
  'behavior: each fault of a real server raises its alert and no other',
  async () => {
    for (let round = 0; round < rounds; round += 1) await playRound()
  },
  rounds * 120_000,
)

async function playRound(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-alerts-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  // PostgreSQL runs as a different user.
  chmodSync(folder, 0o755)
  const owned = async <T>(starting: Promise<T>, stop: (it: T) => unknown): Promise<T> => {
    const it = await starting
    stack.defer(async () => void (await stop(it)))
    return it
  }
  const devnet = await startDevnet()
  stack.defer(devnet.stop)
  await fetch(devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setIntervalMining', params: [1] }),
  })
  const [node, otherNode, postgres, nats] = await Promise.all([
    owned(startRpcProxy(devnet.rpcUrl), ({ close }) => close()),
    owned(startRpcProxy(devnet.rpcUrl), ({ close }) => close()),
    owned(startPostgres({ folder: join(folder, 'postgres') }), ({ stop }) => stop('immediate')),
    owned(startNats({ folder: join(folder, 'nats') }), ({ stop }) => stop()),
  ])
  const common = {
    HEAD_DEGRADED_SECONDS: '3',
    HEAD_STALE_SECONDS: '4',
    SYNC_INTERVAL_MS: '200',
    SIGNATURE_THREADS: '1',
  }
  const start = (name: string, environment: Record<string, string>) =>
    owned(startFaultyServer(join(folder, name), { ...common, ...environment }), ({ stop }) => stop())
  const [alone, shared] = await Promise.all([
    start('alone', {
      RPC_URL: node.url,
      RUNNING_JUDGEMENTS: '10',
      STORED_QUOTES_PER_MAKER: '10000',
    }),
    start('shared', {
      RPC_URL: otherNode.url,
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      PUBLIC_WS_URL: 'ws://127.0.0.1/ws/rfq',
    }),
  ])
  const prometheus = await startPrometheus({
    folder: join(folder, 'prometheus'),
    configuration: configuration([alone.instance, shared.instance]),
    files: { 'alerts.yml': hurried(readFileSync(new URL('alerts.yml', deployFolder), 'utf8')) },
  })
  stack.defer(prometheus.stop)

  const [maker, poster] = devnet.backers
  const connect = () =>
    connectBacker(`${alone.url.replace('http', 'ws')}/ws/rfq`, privateKeyToAccount(maker.privateKey))
  let connection = await connect()
  stack.defer(() => connection.socket.terminate())
  const post = async () => {
    const quote = await signQuote(poster, domainOf(devnet), createQuote(devnet, poster))
    const response = await fetch(`${alone.url}/api/v1/quotes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(quote),
    })
    return response.text()
  }
  /** Posts quotes with this many concurrent requests until stopped. */
  const keepPosting = (atOnce: number) => {
    let isEnded = false
    const posting = Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (!isEnded) {
          await post().catch(() => {})
          await sleep(50)
        }
      }),
    )
    return async () => {
      isEnded = true
      await posting
    }
  }

  await post()
  // Prometheus discovers instances every five seconds, and counters need two scrapes.
  await waitUntil(async () => (await prometheus.ask('up == 1')).length === 2)
  await waitUntil(() => isDrawn(prometheus), 10_000)
  await waitUntil(async () => (await prometheus.firing()).length === 0)

  const [first, second] = [
    watchAlerts(prometheus, (instance) => instance === null || instance === alone.instance),
    watchAlerts(prometheus, (instance) => instance === shared.instance),
  ]
  let endPosting = async () => {}
  const sufferAlone = async () => {
    await first.suffer('FirmquoteNodeStale', ...outageOf(node))
    await first.suffer(
      'FirmquoteMakersGone',
      () => connection.end(),
      async () => {
        connection = await connect()
      },
    )
    await first.suffer('FirmquoteDiskFull', ...diskFault(alone, 'full'))
    // The server disconnected the makers while the database was unwritable.
    if (connection.socket.readyState !== connection.socket.OPEN) connection = await connect()
    await first.suffer(
      'FirmquoteAcknowledgementsSlow',
      () => {
        alone.breakDisk('slow')
        endPosting = keepPosting(3)
      },
      async () => {
        alone.mendDisk('slow')
        await endPosting()
      },
    )
    await first.suffer(
      'FirmquoteQueueGrowing',
      () => {
        node.interfere = async ({ method }) => {
          if (method === 'eth_call') await sleep(1_000)
          return undefined
        }
        endPosting = keepPosting(20)
      },
      async () => {
        node.interfere = () => undefined
        await endPosting()
      },
    )
    await first.suffer(
      'FirmquoteDown',
      () => alone.signal('SIGSTOP'),
      () => alone.signal('SIGCONT'),
    )
  }
  const sufferShared = async () => {
    await second.suffer(
      'FirmquoteNatsGone',
      () => nats.process().kill('SIGKILL'),
      () => nats.start(),
    )
    await second.suffer('FirmquoteNodeStale', ...outageOf(otherNode))
    await second.suffer(
      'FirmquoteDatabaseGone',
      () => postgres.stop('immediate'),
      () => postgres.start(),
    )
  }
  try {
    await Promise.all([sufferAlone(), sufferShared()])
  } finally {
    await endPosting()
    await Promise.all([first.stop(), second.stop()])
  }
}

function outageOf(node: RpcProxy): [fault: () => void, mend: () => void] {
  return [
    () => {
      node.interfere = () => ({ status: 502 })
    },
    () => {
      node.interfere = () => undefined
    },
  ]
}

function diskFault(server: FaultyServer, fault: 'full'): [fault: () => void, mend: () => void] {
  return [() => server.breakDisk(fault), () => server.mendDisk(fault)]
}

/** Whether every dashboard query returns data, except queries about events that did not occur. */
async function isDrawn(prometheus: Prometheus): Promise<boolean> {
  const never = ['Error responses', 'Rejections by code', 'Makers refused or evicted', 'Starts']
  for (const { title, expr } of dashboardQueries()) {
    if (!never.includes(title) && (await prometheus.ask(expr)).length === 0) return false
  }
  return true
}
