import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from './freePort.ts'
import { root } from './pack.ts'
import { createProject, type Project } from './project.ts'
import { readmeBlocks } from './readmeBlocks.ts'

// The path of a newcomer as the daemon's README describes it: its own commands, in an empty project into which the packed
// tarballs are installed, beside a real `npm start`. Only the ports and the socket are others, so that it can run anywhere.

const [npmStart, init, fund, approve, run, ask] = readmeBlocks(join(root, 'apps/daemon/README.md')).map(
  ({ text }) => text,
)

let project: Project
const started: ChildProcess[] = []

beforeAll(async () => {
  project = await createProject()
}, 180_000)

afterAll(() => {
  for (const { pid, exitCode, signalCode } of started) {
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
  project?.remove()
})

/** A terminal: it runs one command, and shows what that says. */
function terminal(command: string | undefined, cwd: string, environment: Record<string, string>) {
  if (command === undefined) throw new TypeError('The README has fewer steps than this test.')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  let output = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const look of looks) look()
    })
  }
  const closed = once(child, 'close').then(([code]) => code as number | null)
  return {
    /** Waits for a text, and gives what it has found of it. */
    shows: (text: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = text.exec(output)
          if (found) resolve(found)
        }
        looks.add(look)
        look()
        void closed.then(() => reject(new TypeError(`${command} ended without showing ${text}:\n${output}`)))
      }),
    /** Ctrl-C, which reaches all that runs in a terminal; waits until it has gone. */
    async interrupt(): Promise<void> {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await closed
    },
    /** Waits until the command has done its work. */
    async succeeds(): Promise<string> {
      expect({ command, code: await closed, output }).toMatchObject({ code: 0 })
      return output
    },
  }
}

/** The day on which the last series expires, as one writes it. */
async function lastExpiry(url: string): Promise<string> {
  const { pools } = (await (await fetch(`${url}/api/v1/pools/rates`)).json()) as {
    pools: { series: { expiry: number }[] }[]
  }
  const expiry = Math.max(...(pools[0]?.series ?? []).map((series) => series.expiry))
  return new Date(expiry * 1_000).toISOString().slice(0, 10)
}

test("default: from init to the first accepted quote, by the daemon's README word for word", async () => {
  const [port, rpcPort] = [await freePort(), await freePort()]
  const demo = terminal(npmStart, root, { PORT: String(port), RPC_PORT: String(rpcPort) })
  const [, url = ''] = await demo.shows(/^ready (http:\S+)$/m)
  const expiry = await lastExpiry(url)
  const environment = {
    PATH: `${process.env['PATH']}${delimiter}${join(project.folder, 'node_modules/.bin')}`,
    // What a newcomer types when asked.
    FIRMQUOTE_KEYSTORE_PASSWORD: 'what a newcomer types',
    FIRMQUOTE_SERVICE_URL: url,
    FIRMQUOTE_URL: url,
    FIRMQUOTE_RPC_URL: `http://127.0.0.1:${rpcPort}`,
    FIRMQUOTE_SOCKET: join(project.folder, 'daemon.sock'),
  }
  const inProject = (command: string | undefined) => terminal(command, project.folder, environment)
  const times: [string, number][] = [['', performance.now()]]
  const lap = (step: string) => times.push([step, performance.now()])

  const initialised = await inProject(init).succeeds()
  const [, maker = ''] = /The maker is (0x\w{40})\./.exec(initialised) ?? []
  // What it says to do next can be typed as it stands.
  expect(initialised).toContain(`: ${approve?.trim()}\n`)
  lap('init')
  await inProject(`${fund?.replace('MAKER', maker)} --port ${rpcPort}`).succeeds()
  lap('fund')
  expect(await inProject(approve).succeeds()).toMatch(/may move 500,000 tUSD /)
  lap('approve')
  const daemon = inProject(run)
  await daemon.shows(new RegExp(`^ready ${maker}$`, 'm'))
  lap('ready')
  const borrower = inProject(ask?.replace('EXPIRY', expiry))
  const [line] = await daemon.shows(/^.*"msg":"quoted".*$/m)
  lap('quoted')

  expect(JSON.parse(line)).toMatchObject({ level: 'info', notional: '100000000000' })
  const ladder = await borrower.succeeds()
  expect(ladder).toContain(maker)
  const stopped = daemon.shows(/"msg":"stopped"/)
  await daemon.interrupt()
  await stopped
  await demo.interrupt()

  const seconds = times.slice(1).map(([step, at], index) => [step, (at - (times[index]?.[1] ?? 0)) / 1_000] as const)
  const total = seconds.reduce((sum, [, taken]) => sum + taken, 0)
  const steps = seconds.map(([step, taken]) => `${step} ${taken.toFixed(1)}`).join(', ')
  // For information; nothing depends on it.
  process.stdout.write(`From init to the first accepted quote: ${total.toFixed(1)} s (${steps}).\n`)
}, 180_000)
