/** A minimal `curl` for machines without it, with only the features that the READMEs use. Runs as a Node program. */
export const curlStandIn = `#!/usr/bin/env node
import { parseArgs } from 'node:util'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'no-buffer': { type: 'boolean', short: 'N' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
})
const url = positionals[0].startsWith('http') ? positionals[0] : 'http://' + positionals[0]
const headers = (values.header ?? []).map((line) => line.split(/:\\s*/, 2))
const response = await fetch(url, { method: values.request ?? (values.data ? 'POST' : 'GET'), headers, body: values.data })
for await (const chunk of response.body) process.stdout.write(chunk)
`
