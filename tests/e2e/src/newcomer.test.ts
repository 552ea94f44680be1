import { delimiter, join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from './pack.ts'
import { createProject, type Project } from './project.ts'
import { readmeBlocks } from './readmeBlocks.ts'
import { killTerminals, openTerminal } from './terminal.ts'

// Follows the daemon's README as a newcomer would. Runs the README's commands in an empty project with the packed
// tarballs installed, alongside a real `npm start`. Changes only the ports and the socket path, so that the commands
// can run anywhere.

const [npmStart, init, fund, approve, run, ask] = readmeBlocks(join(root, 'apps/daemon/README.md')).map(
  ({ text }) => text,
)

let project: Project

beforeAll(async () => {
  project = await createProject()
}, 180_000)

afterAll(() => {
  killTerminals()
  project?.remove()
})

/** Returns the last series' expiry date as text. */
async function lastExpiry(url: string): Promise<string> {
  const { pools } = (await (await fetch(`${url}/api/v1/pools/rates`)).json()) as {
    pools: { series: { expiry: number }[] }[]
  }
  const expiry = Math.max(...(pools[0]?.series ?? []).map((series) => series.expiry))
  return new Date(expiry * 1_000).toISOString().slice(0, 10)
}

test("default: from init to the first accepted quote, following the daemon's README word for word", async () => {
  const [port, rpcPort] = [await freePort(), await freePort()]
  const demo = openTerminal(npmStart, root, { PORT: String(port), RPC_PORT: String(rpcPort) })
  const [, url = ''] = await demo.shows(/^ready (http:\S+)$/m)
  const expiry = await lastExpiry(url)
  const environment = {
    PATH: `${process.env['PATH']}${delimiter}${join(project.folder, 'node_modules/.bin')}`,
    // A newcomer's answer to the prompt.
    FIRMQUOTE_KEYSTORE_PASSWORD: 'what a newcomer types',
    FIRMQUOTE_SERVICE_URL: url,
    FIRMQUOTE_URL: url,
    FIRMQUOTE_RPC_URL: `http://127.0.0.1:${rpcPort}`,
    FIRMQUOTE_SOCKET: join(project.folder, 'daemon.sock'),
  }
  const inProject = (command: string | undefined) => openTerminal(command, project.folder, environment)

  const initialised = await inProject(init).succeeds()
  const [, maker = ''] = /The maker is (0x\w{40})\./.exec(initialised) ?? []
  // The printed next steps can be typed as is.
  expect(initialised).toContain(`: ${approve?.trim()}\n`)
  await inProject(`${fund?.replace('MAKER', maker)} --port ${rpcPort}`).succeeds()
  expect(await inProject(approve).succeeds()).toMatch(/may spend 500,000 tUSD /)
  const daemon = inProject(run)
  await daemon.shows(new RegExp(`^ready ${maker}$`, 'm'))
  const borrower = inProject(ask?.replace('EXPIRY', expiry))
  const [line] = await daemon.shows(/^.*"msg":"quoted".*$/m)

  expect(JSON.parse(line)).toMatchObject({ level: 'info', notional: '100000000000' })
  const ladder = await borrower.succeeds()
  expect(ladder).toContain(maker)
  const stopped = daemon.shows(/"msg":"stopped"/)
  await daemon.interrupt()
  await stopped
  await demo.interrupt()
}, 180_000)
