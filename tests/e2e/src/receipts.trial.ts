import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceClient } from '@firmquote/sdk'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { startStack } from '@firmquote/test-support/startStack'
import { rounds } from '@firmquote/test-support/trial'
import { verifyProof } from '@firmquote/verify'
import { afterAll, expect, test } from '@jest/globals'
import { stopAfter } from './stopAfter.ts'

// A daemon that is killed still checks the promises that the service made before. A round takes more than a minute: the
// time of a promise.

const started = stopAfter(afterAll)

test(
  `a killed daemon archives the proof of its quote (${rounds} rounds)`,
  async () => {
    const stack = started(await startStack({ AUCTION_DURATION_MS: '1000' }, { by: 'one' }))
    const [account] = stack.devnet.backers
    const options = { account, folder: join(stack.folder, 'maker'), spreadBps: 20 }
    const { chainId, contracts } = stack.devnet
    const borrower = new ServiceClient({
      ...{ orderbookUrl: stack.url, chainId, quoteMarketAddress: contracts.quoteMarket },
      interestRatePoolAddress: contracts.interestRatePool,
    })
    const proofs = join(options.folder, 'data', 'proofs')
    const files = () => readdirSync(proofs).filter((name) => name.startsWith('quote-') && name.endsWith('.json'))
    for (let round = 1; round <= rounds; round += 1) {
      const daemon = startDaemon(stack, options)
      await daemon.says(/^ready /m)
      await daemon.says(/checking receipts/)
      const { quotes } = await borrower.requestQuotes({ ...stack.series, notional: 10_000_000_000n })
      expect(quotes).toHaveLength(1)
      daemon.child.kill('SIGKILL')
      await daemon.ended
      const again = startDaemon(stack, options)
      while (files().length < round) await sleep(500)
      const file = join(proofs, `quote-${quotes[0]?.hash}.json`)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await verifyProof(readFileSync(file, 'utf8'))).toMatchObject({ isValid: true })
      await again.stop()
      expect(again.output()).not.toMatch(/broke a promise/)
    }
  },
  rounds * 200_000,
)
