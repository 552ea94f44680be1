// Read authorizations on a real chain: whom they identify, how long they last, and what invalid ones cost.

import {
  type BackerAuth,
  backerAuthTypedData,
  formatReadAuthorization,
  readAuthTypedData,
} from '@firmquote/core/protocol'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { type ContractMaker, deployContractMaker } from '../../../test/contractMakers.ts'
import { type RealService, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'

const audience = 'wss://rfq.example.com/ws/rfq'
const nonce = `0x${'11'.repeat(32)}` as const
let contract: ContractMaker
let service: RealService

useDevnet(async () => {
  contract = await deployContractMaker(devnet, devnet.backers[2])
})
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(async () => {
  await service.close()
  await contract.behave('honest')
})

/** Creates a header, signed by the first backer or the contract's owner, that is valid except for the changes. */
async function headerOf(changes: Partial<BackerAuth> = {}, typedData: typeof readAuthTypedData = readAuthTypedData) {
  const isContract = changes.backer === contract.address
  const { privateKey } = isContract ? contract.owner : devnet.backers[0]
  const timestamp = changes.timestamp ?? Math.floor(service.clock.now() / 1_000)
  const auth = { ...domainOf(devnet), backer: devnet.backers[0].address, audience, nonce, ...changes, timestamp }
  const signature = await privateKeyToAccount(privateKey).signTypedData(typedData(auth))
  return formatReadAuthorization({ ...auth, signature })
}

async function verdictOn(authorization: string | undefined, allowList?: ReadonlySet<string>, network = 'one') {
  const outcome = await service.makers.authorize({
    authorization,
    audience,
    network,
    ...(allowList && { allowList }),
  })
  if (outcome.ok) return outcome.value
  return outcome.rejection.code === 'UNAUTHENTICATED' ? outcome.rejection.reason : outcome.rejection.code
}

/** The number of requests to the node since the last call. */
const asked = () => service.node.calls.splice(0).length

describe('an authorization to read', () => {
  test('default: proves its maker each time it is sent', async () => {
    const header = await headerOf()
    asked()
    expect(await verdictOn(header)).toBe(devnet.backers[0].address)
    expect(await verdictOn(header)).toBe(devnet.backers[0].address)
    expect(asked()).toBe(0)
  })

  test('behavior: for an hour, and from a clock that is up to a minute ahead', async () => {
    const header = await headerOf()
    service.clock.advance(3_600_000)
    expect(await verdictOn(header)).toBe(devnet.backers[0].address)
    service.clock.advance(1_000)
    expect(await verdictOn(header)).toBe('timestamp_out_of_window')
    const now = Math.floor(service.clock.now() / 1_000)
    expect(await verdictOn(await headerOf({ timestamp: now + 60 }))).toBe(devnet.backers[0].address)
    expect(await verdictOn(await headerOf({ timestamp: now + 61 }))).toBe('timestamp_out_of_window')
  })

  test('error: missing or malformed', async () => {
    expect(await verdictOn(undefined)).toBe('missing')
    expect(await verdictOn('Bearer abc')).toBe('malformed')
  })

  test.each<[string, () => Promise<string>]>([
    ['of another key', () => headerOf({ backer: devnet.backers[1].address })],
    ['for another service', () => headerOf({ audience: 'wss://other.example.com/ws/rfq' })],
    ['for another market', () => headerOf({ quoteMarket: devnet.contracts.interestRatePool })],
    ['for another chain', () => headerOf({ chainId: 1 })],
    ['with another nonce', async () => (await headerOf()).replace(nonce, `0x${'22'.repeat(32)}`)],
    ['that opens a session', () => headerOf({}, backerAuthTypedData as unknown as typeof readAuthTypedData)],
  ])('error: a signature %s', async (_name, header) => {
    expect(await verdictOn(await header())).toBe('bad_signature')
  })

  test('error: a maker that is not on the list, which only the holder of its key learns', async () => {
    const listed = (address: Address) => new Set([address.toLowerCase()])
    expect(await verdictOn(await headerOf(), listed(devnet.backers[0].address))).toBe(devnet.backers[0].address)
    expect(await verdictOn(await headerOf(), listed(devnet.backers[1].address))).toBe('not_allowed')
    const forged = await headerOf({ backer: devnet.backers[1].address })
    expect(await verdictOn(forged, listed(devnet.backers[0].address))).toBe('bad_signature')
  })

  test('error: a banned maker, which only the holder of its key learns', async () => {
    const [{ address: banned }, { address: other }] = devnet.backers
    await service.admin['makers.ban']?.({ maker: banned, for: '1h', why: 'test', who: 'ops' })
    expect(await verdictOn(await headerOf())).toBe('MAKER_BANNED')
    expect(await verdictOn(await headerOf(), new Set())).toBe('MAKER_BANNED')
    expect(await verdictOn(await headerOf({ backer: other }))).toBe('bad_signature')
    service.clock.advance(3_600_000)
    expect(await verdictOn(await headerOf())).toBe(banned)
  })
})

describe('of a contract', () => {
  test('default: a signature is checked again after half a minute, and refused once the contract withdraws its approval', async () => {
    const header = await headerOf({ backer: contract.address })
    expect(await verdictOn(header)).toBe(contract.address)
    asked()
    service.clock.advance(29_999)
    expect(await verdictOn(header)).toBe(contract.address)
    expect(asked()).toBe(0)
    await contract.behave('burns gas')
    service.clock.advance(1)
    expect(await verdictOn(header)).toBe('bad_signature')
    expect(asked()).toBeGreaterThan(0)
  })

  test('behavior: each check counts, even if successful, and only against its network', async () => {
    const headers = await Promise.all(
      Array.from({ length: 21 }, (_, index) =>
        headerOf({ backer: contract.address, nonce: `0x${(index + 1).toString(16).padStart(64, '0')}` }),
      ),
    )
    for (const header of headers.slice(0, 20)) expect(await verdictOn(header)).toBe(contract.address)
    expect(await verdictOn(headers[20])).toBe('RATE_LIMITED')
    expect(await verdictOn(headers[20], undefined, 'another')).toBe(contract.address)
    // Signers are recovered locally, without a request to the node.
    expect(await verdictOn(await headerOf())).toBe(devnet.backers[0].address)
    service.clock.advance(3_000)
    expect(await verdictOn(await headerOf({ backer: contract.address }))).toBe(contract.address)
  })

  test('error: the chain cannot be read', async () => {
    const header = await headerOf({ backer: contract.address })
    service.node.interfere = () => ({ status: 500 })
    await expect(verdictOn(header)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    service.node.interfere = () => undefined
    expect(await verdictOn(header)).toBe(contract.address)
  })
})
