import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from '@firmquote/test-support/startProgram'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { root } from '../pack.ts'
import { fencedBlocks } from './fencedBlocks.ts'

// Compares operate/tracing.md with the programs. ../tracing.test.ts checks that a collector receives the trace.

const blocks = fencedBlocks(readFileSync(join(root, 'apps/docs/operate/tracing.md'), 'utf8'))
const textOf = (language: string) => blocks.find((block) => block.language === language)?.text ?? ''
const commands = textOf('sh').split('\n')

describe('operate/tracing.md', () => {
  test('default: its commands start programs that support each variable', () => {
    const called = commands.map((line) => {
      const [, variables = '', name = ''] = /^((?:\w+=\S+ )+)npx @firmquote\/(\w+)$/.exec(line) ?? []
      const help = execFileSync(process.execPath, [programOf(name), '--help'], { encoding: 'utf8' })
      for (const [, variable] of variables.matchAll(/(\w+)=/g)) expect(help).toContain(variable)
      return name
    })
    expect(called).toEqual(['server', 'daemon'])
  })

  test('default: the collector listens where the programs send traces, and every component of its pipeline is defined', () => {
    const { receivers, processors, exporters, service } = parse(textOf('yaml'))
    const { traces } = service.pipelines
    expect(Object.keys(receivers)).toEqual(traces.receivers)
    expect(Object.keys(processors)).toEqual(traces.processors)
    expect(Object.keys(exporters)).toEqual(traces.exporters)
    const { port } = new URL(`http://${receivers.otlp.protocols.http.endpoint}`)
    for (const line of commands) expect(line).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:${port} `)
  })

  test('default: the log matches the page', () => {
    const { msg, cause, ...facts } = JSON.parse(textOf('json'))
    expect([cause, facts]).toEqual(['ECONNREFUSED', { level: 'warn', spans: 512 }])
    expect(readFileSync(join(root, 'packages/nodeRuntime/src/spanDelivery.ts'), 'utf8')).toContain(`'${msg}'`)
  })
})
