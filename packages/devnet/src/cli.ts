#!/usr/bin/env node
import { parseCliOptions, usage } from './cliOptions.ts'
import { describeDevnet } from './describeDevnet.ts'
import { DevnetError } from './devnetError.ts'
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
  process.stderr.write('anvil has ended by itself.\n')
  process.exitCode = 1
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
