// One instance of the fan-out over several: the product's server and backer sessions on a bus over NATS, or without an address on
// that of one process. It broadcasts an RFQ for each line that it is given, and prints when it began; first of all its port.
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { systemClock } from '@firmquote/core'
import { createNatsBus } from '../../../apps/server/src/adapters/natsBus/natsBus.ts'
import { testDomain } from '../../../apps/server/test/scriptedService.ts'
import { fail, sampleRfq, startProduct } from './fanOutSides.ts'

const [backers, key = ''] = process.argv.slice(2)
const url = process.env['NATS_URL']
const bus = url
  ? await createNatsBus({
      ...{
        url,
        key: Buffer.from(key, 'hex'),
        domain: testDomain,
        onError: fail,
        log: { info() {}, warn: console.error },
      },
      ...{ clock: systemClock, random: randomBytes },
    })
  : undefined
const stage = await startProduct(Number(backers), bus)
const [broadcaster] = stage.broadcasters()
console.log(stage.port)
for await (const _ of createInterface({ input: process.stdin }))
  console.log(String(await broadcaster?.broadcast(sampleRfq)))
process.exit()
