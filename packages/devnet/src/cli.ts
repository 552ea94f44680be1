#!/usr/bin/env node
import { parseCliOptions, usage } from './cliOptions.ts'
import { describeDevnet } from './describeDevnet.ts'
import { DevnetError } from './devnetError.ts'
import { type DevnetOptions, startDevnet } from './startDevnet.ts'

async function run(options: DevnetOptions): Promise<void> {
  const devnet = await startDevnet(options)
  process.stdout.write(describeDevnet(devnet))
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    devnet.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
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
  case 'start':
    await run(request.options).catch((error: unknown) => {
      if (!(error instanceof DevnetError)) throw error
      process.stderr.write(`${error.message}\n`)
      process.exitCode = error.code === 'INVALID_OPTION' ? 2 : 1
    })
    break
}
