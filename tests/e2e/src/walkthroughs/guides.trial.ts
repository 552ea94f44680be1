import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { borrowers } from '@firmquote/devnet'
import { takeQuoteParameters } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { requestOffer } from '../browser/demoMarket.ts'
import { type Demo, startDemo } from '../browser/startDemo.ts'
import { createProject, type Project } from '../project.ts'
import { openTerminal } from '../terminal.ts'
import { startWalkthroughs, type Walkthroughs } from './walkthroughs.ts'

let walkthroughs: Walkthroughs
let demo: Demo
let project: Project
beforeAll(async () => {
  project = await createProject()
  walkthroughs = await startWalkthroughs()
  const { port, rpcPort } = walkthroughs
  demo = await startDemo({ PORT: String(port), RPC_PORT: String(rpcPort), AUCTION_DURATION_MS: '3000' })
}, 180_000)
const modules = () => join(project.folder, 'node_modules')
afterAll(async () => {
  await walkthroughs?.stop()
  await demo?.stop()
  project?.remove()
}, 60_000)

test.each([
  'guides/pricing.md',
  'guides/clusters.md',
  'guides/security.md',
  'guides/finality.md',
  'guides/settlement.md',
])(
  'default: following %s works',
  async (page) => {
    await walkthroughs.follow(page, { modules: modules() })
  },
  60_000,
)

test("default: following guides/hedging.md hedges a real fill of the daemon's quote once", async () => {
  const { folder } = await walkthroughs.follow('guides/hedging.md', {
    modules: modules(),
    // Creates the quick start's maker.
    prepare: 'npx firmquote-daemon init --dir maker',
  })
  const inFolder = (command: string) => openTerminal(command, folder, walkthroughs.environment)
  const config = '--config maker/firmquote-daemon.yaml'
  const { address } = JSON.parse(readFileSync(join(folder, 'maker/keystore.json'), 'utf8'))
  await inFolder(`npx firmquote-devnet fund 0x${address} --port ${walkthroughs.rpcPort}`).succeeds()
  await inFolder(`npx firmquote-daemon approve 500000 ${config}`).succeeds()
  const daemon = inFolder(`npx firmquote-daemon ${config}`)
  try {
    await daemon.shows(/^ready 0x/m)
    const hash = await takeQuoteOf(`0x${address}`)
    const hedge = join(folder, `hedges/${hash}.json`)
    await waitUntil(() => existsSync(hedge))
    expect(JSON.parse(readFileSync(hedge, 'utf8'))).toMatchObject({ notional: '50000000000' })
  } finally {
    await daemon.interrupt()
  }
}, 60_000)

/** Runs an auction for a borrower and takes one maker's quote. Returns its hash. */
async function takeQuoteOf(maker: string): Promise<string> {
  const { quotes } = await requestOffer(demo, borrowers[0].address)
  const own = quotes.find(({ quote }) => quote.maker.toLowerCase() === maker)
  if (own === undefined) throw new TypeError(`None of the ${quotes.length} quotes is from ${maker}.`)
  await demo.send(borrowers[0], takeQuoteParameters(own.quote))
  return own.hash
}
