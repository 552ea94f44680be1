import { existsSync } from 'node:fs'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { type Cluster, startCluster } from '@firmquote/cluster/startCluster'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { programOf } from '@firmquote/test-support/startProgram'
import { afterEach, expect, test } from '@jest/globals'

let devnet: Devnet | undefined
let cluster: Cluster | undefined
afterEach(async () => {
  await cluster?.stop()
  await devnet?.stop()
}, 30_000)

const given = findPostgres() && findNats() ? test : test.skip

async function answers(url: string, withinMs: number): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(withinMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

given(
  'default: two servers on one database are paused, killed and started again, and nothing is left',
  async () => {
    devnet = await startDevnet()
    const environment = { RPC_URL: devnet.rpcUrl, HEAD_DEGRADED_SECONDS: '36000', HEAD_STALE_SECONDS: '36000' }
    cluster = await startCluster({ serverFile: programOf('server'), environment, servers: 2 })
    const [first, second] = cluster.instances
    if (!first || !second) throw new TypeError('There are two servers.')
    for (const { url } of [first, second]) expect(await answers(url, 5_000)).toBe(true)
    const rows = await cluster.postgres.query('select count(*)::int as tables from pg_tables', cluster.postgres.url)
    expect(Number(rows[0]?.['tables'])).toBeGreaterThan(70)

    await second.pause()
    expect(await answers(second.url, 300)).toBe(false)
    expect(await answers(first.url, 5_000)).toBe(true)
    await second.resume()
    // It answers first with what it knows since before it was paused, or with 503 until it has looked.
    while (!(await answers(second.url, 5_000)));

    const { pid } = first.process()
    await first.kill()
    expect(await answers(first.url, 5_000)).toBe(false)
    await first.start()
    expect(first.process().pid).not.toBe(pid)
    expect(await answers(first.url, 5_000)).toBe(true)

    await second.pause()
    await cluster.stop()
    expect(existsSync(cluster.folder)).toBe(false)
    for (const { url } of [first, second]) expect(await answers(url, 5_000)).toBe(false)
  },
  120_000,
)
