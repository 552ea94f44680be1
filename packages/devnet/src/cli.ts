#!/usr/bin/env node
import { type CliRequest, parseCliOptions, usage } from './cliOptions.ts'
import { describeDevnet } from './describeDevnet.ts'
import { DevnetError } from './devnetError.ts'
import { fundAccount } from './fundAccount.ts'
import { type DevnetOptions, startDevnet } from './startDevnet.ts'

async function run(options: DevnetOptions): Promise<void> {
  const devnet = await startDevnet(options)
  let stopping = false
  const stop = () => {
    stopping = true
    devnet.stop()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  process.stdout.write(describeDevnet(devnet))

  await devnet.exited
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stopping) return
  process.stderr.write('anvil exited unexpectedly.\n')
  process.exitCode = 1
}

async function fund({ rpcUrl, address }: Extract<CliRequest, { kind: 'fund' }>): Promise<void> {
  await fundAccount(rpcUrl, address)
  process.stdout.write(`Funded ${address}: set its balance to 10 ether and minted 1,000,000 tUSD.\n`)
}

function fail(error: unknown): void {
  if (!(error instanceof DevnetError)) throw error
  process.stderr.write(`${error.shortMessage}\n`)
  process.exitCode = error.code === 'INVALID_OPTION' ? 2 : 1
}

const request = parseCliOptions(process.argv.slice(2))
switch (request.kind) {
  case 'help':
    process.stdout.write(usage)
    break
  case 'mistake':
    process.stderr.write(`${request.message}\n\n${usage}`)
    process.exitCode = 2
    break
  case 'fund':
    await fund(request).catch(fail)
    break
  case 'start':
    await run(request.options).catch(fail)
    break
}
