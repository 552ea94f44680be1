import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { createProject, type Project } from './project.ts'

let project: Project

beforeAll(async () => {
  project = await createProject()
}, 180_000)

afterAll(() => project.remove())

/** Uses every portable published entry point, and prints the hash of the protocol's test vector. */
const use = `
const quote = {
  maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', taker: '0x0000000000000000000000000000000000000000',
  poolId: '0x' + '22'.repeat(32), seriesKey: '0x' + '33'.repeat(32), notional: 1000000000000n, vrtAmount: 25000000000n,
  nonce: 0n, deadline: 1767226200n, salt: '0x' + '44'.repeat(32),
}
const client = new sdk.ServiceClient()
if (client.getConfig().quoteMarketAddress !== addresses.QUOTE_MARKET_ADDRESS) throw new Error('the addresses differ')
if (!adapters.GENERAL_ADAPTER1_ADDRESS) throw new Error('no adapter')
try {
  core.deserializeQuote({ ...core.serializeQuote(quote), nonce: '' })
} catch (error) {
  if (!(error instanceof core.InvalidInputError)) throw error
}
const logKey = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
if (verify.formatKey(verify.parseKey(logKey)) !== logKey) throw new Error('the keys differ')
proofs.createLogReader({ url: 'https://rfq.example.com/log/1', key: logKey })
const decoded = wire.decode(wire.quoteShape, core.serializeQuote(quote))
console.log(core.hashQuote(decoded.value, { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' }))
`
const hash = '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4'
const entries = {
  core: '@firmquote/core',
  wire: '@firmquote/core/wire',
  sdk: '@firmquote/sdk',
  adapters: '@firmquote/sdk/addresses',
  addresses: '@firmquote/addresses',
  proofs: '@firmquote/sdk/proofs',
  verify: '@firmquote/verify',
}
const imports = Object.entries(entries)
  .map(([name, from]) => `import * as ${name} from '${from}'`)
  .join('\n')
const requires = Object.entries(entries)
  .map(([name, from]) => `const ${name} = require('${from}')`)
  .join('\n')

/**
 * Signs the quote in the protocol's test vector twice. Prints the number of WebAssembly instances before and after
 * signing.
 */
const sign = `
const instances = []
if (globalThis.WebAssembly) {
  const { instantiate } = WebAssembly
  WebAssembly.instantiate = (...given) => instances.push(given) && instantiate(...given)
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (target, given) => instances.push(given) && Reflect.construct(target, given),
  })
}
const quote = {
  maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', taker: '0x0000000000000000000000000000000000000000',
  poolId: '0x' + '22'.repeat(32), seriesKey: '0x' + '33'.repeat(32), notional: 1000000000000n, vrtAmount: 25000000000n,
  nonce: 0n, deadline: 1767226200n, salt: '0x' + '44'.repeat(32),
}
const signer = new BackerSigner({
  chainId: 8453, quoteMarketAddress: '0x1111111111111111111111111111111111111111',
  factoryAddress: '0x2222222222222222222222222222222222222222',
  interestRatePoolAddress: '0x2222222222222222222222222222222222222222',
})
signer.setPrivateKey('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const before = instances.length
async function main() {
  const [first, second] = [await signer.signQuoteMarketQuote(quote), await signer.signQuoteMarketQuote(quote)]
  console.log(first.signature === second.signature, first.signature, before > 0, instances.length > 0)
  await signer.signQuoteMarketQuote({ ...quote, nonce: 0 }).catch((error) => {
    console.log(error instanceof InvalidInputError, error.path)
  })
}
main().catch((error) => console.log(error.name, error.code))
`
const signImport = `import { BackerSigner, InvalidInputError } from '@firmquote/sdk'\n${sign}`
const signRequire = `const { BackerSigner, InvalidInputError } = require('@firmquote/sdk')\n${sign}`
const signature =
  '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b'

/**
 * A server component that prefetches, without a framework. TanStack Query's React part needs a framework's bundler, but
 * its core does not.
 */
const page = `
import { createServer } from 'node:http'
import { once } from 'node:events'
import { poolsQuery, queryKeys } from '@firmquote/react/query'
import { ServiceClient } from '@firmquote/sdk'
import { dehydrate, QueryClient } from '@tanstack/query-core'
import * as React from 'react'
console.log('useState' in React ? 'hooks' : 'no hooks')
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"pools":[]}')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const client = new ServiceClient({ orderbookUrl: 'http://127.0.0.1:' + server.address().port })
async function Page() {
  const queries = new QueryClient()
  await queries.prefetchQuery(poolsQuery(client))
  const { queries: [{ queryKey, state }] } = dehydrate(queries)
  if (queryKey[1] !== queryKeys.pools[1] || state.data.length !== 0) throw new Error('nothing was prefetched')
  return React.createElement('ul', null, client.getConfig().chainId)
}
const { type, props } = await Page()
console.log(type, props.children)
server.close()
server.closeAllConnections()
`

/** A module of a package and all modules of the package that it imports. */
function modulesOf(dist: string, file: string, known: string[] = []): string[] {
  if (known.includes(file)) return known
  const imports = readFileSync(join(dist, file), 'utf8').matchAll(/from ?"\.\/([^"]+)"|^import "\.\/([^"]+)"/gm)
  return [...imports].reduce((all, [, named, bare]) => modulesOf(dist, named ?? bare ?? '', all), [...known, file])
}

/** Bundles a file for browsers with widely used settings. */
async function bundleForBrowsers(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs a script with only the JavaScript language and the platform APIs that browsers also have. */
function runAsBrowser(bundle: string): Promise<string> {
  const output = project.write('bundle.js', bundle)
  const runner = `
    const { readFileSync } = require('node:fs')
    const { URL, TextEncoder, TextDecoder, AbortController, AbortSignal, atob, btoa, setTimeout, clearTimeout, fetch, crypto } = globalThis
    const window = { console, URL, TextEncoder, TextDecoder, AbortController, AbortSignal, atob, btoa, setTimeout, clearTimeout, fetch, crypto, WebSocket: class {} }
    require('node:vm').runInNewContext(readFileSync(${JSON.stringify(output)}, 'utf8'), window)
  `
  return project.run(process.execPath, ['-e', runner])
}

describe('the packed tarballs in an empty project', () => {
  test('default: used from an ES module', async () => {
    project.write('use.mjs', imports + use)
    expect(await project.run(process.execPath, ['use.mjs'])).toContain(hash)
  })

  test('default: used from CommonJS', async () => {
    project.write('use.cjs', requires + use)
    expect(await project.run(process.execPath, ['use.cjs'])).toContain(hash)
  })

  test('default: used from a browser bundle, which runs without Node APIs', async () => {
    expect(await runAsBrowser(await bundleForBrowsers(project.write('browser.mjs', imports + use)))).toContain(hash)
  })

  test.each([
    ['an ES module', 'sign.mjs', signImport, []],
    ['CommonJS', 'sign.cjs', signRequire, []],
    ['CommonJS before Node 20.19', 'sign.cjs', signRequire, ['--no-experimental-require-module']],
  ])('behavior: %s signs with WebAssembly in Node, from the first signature on', async (_what, file, text, flags) => {
    project.write(file, text)
    expect(await project.run(process.execPath, [...flags, file])).toBe(`true ${signature} false true\ntrue nonce\n`)
  })

  test('behavior: a browser bundle signs the same without any WebAssembly', async () => {
    const use =
      "import { BackerSigner, InvalidInputError, ServiceClient } from '@firmquote/sdk'\nglobalThis.kept = ServiceClient\n"
    const bundle = await bundleForBrowsers(
      project.write('signInBrowser.mjs', use + sign.replaceAll('WebAssembly', 'wasm')),
    )
    // The bundle contains no calls and no base64 module, which would begin with `\\0asm`.
    expect(/WebAssembly(?:\.\w|\[)|AGFzbQ/.exec(bundle)?.[0]).toBeUndefined()
    expect(await runAsBrowser(bundle)).toBe(`true ${signature} false false\ntrue nonce\n`)
  })

  test('error: Node without WebAssembly reports this and does not sign', async () => {
    project.write('sign.mjs', signImport)
    expect(await project.run(process.execPath, ['--jitless', 'sign.mjs'])).toContain('SignerError SIGNING_FAILED')
  })

  test('default: the demo is a separate program, which refers to itself by the name it was called with', async () => {
    expect(await project.run('npx', ['firmquote-demo', '--help'])).toMatch(/^Usage: npx @firmquote\/demo\n/)
    const taken = project.run('npx', ['firmquote-demo', '--clustre'])
    await expect(taken).rejects.toThrow('unknown option --clustre.')
  })

  test("default: a server component imports query options, with React's server build and without 'use client'", async () => {
    project.write('Page.mjs', page)
    const said = await project.run(process.execPath, ['--conditions=react-server', 'Page.mjs'])
    expect(said).toBe('no hooks\nul 8453\n')
    const dist = join(project.folder, 'node_modules/@firmquote/react/dist')
    const onServer = modulesOf(dist, 'query.js')
    const onClient = modulesOf(dist, 'index.js').filter((file) => !onServer.includes(file))
    const isMarked = (file: string) => /^'use client'/.test(readFileSync(join(dist, file), 'utf8'))
    expect(onServer.filter(isMarked)).toEqual([])
    expect(onClient).toContain('index.js')
    expect(onClient.filter((file) => !isMarked(file))).toEqual([])
  })

  test('default: types are found from TypeScript in both module systems', async () => {
    const text = `${imports}\nconst client: sdk.ServiceClient = new sdk.ServiceClient()\nexport const url: string = client.getConfig().orderbookUrl\nexport const all = [core.hashQuote, wire.decode, adapters, addresses.QUOTE_MARKET_ADDRESS, verify.verifyProof, proofs.readLogs]\n`
    const hooks = `import { type TakeState, useTake } from '@firmquote/react'\nexport const step: TakeState['step'] = 'takeTogether'\nexport const parameters: Parameters<typeof useTake>[0]['limit'] = { maxApr: 8 }\n`
    project.write('types.mts', text)
    project.write('types.cts', text)
    project.write('react.mts', hooks)
    const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
    expect(await project.run(process.execPath, [tsc, ...flags, 'types.mts', 'types.cts', 'react.mts'])).toBe('')
  })

  test("default: every package's program prints its usage", async () => {
    for (const program of ['firmquote', 'firmquote-server', 'firmquote-devnet', 'firmquote-addresses']) {
      const help = await project.run(process.execPath, [join(project.folder, 'node_modules/.bin', program), '--help'])
      expect(help).toContain('--help')
    }
  })

  test('default: the server lists the commands that control it', async () => {
    expect(await project.run('npx', ['firmquote-server', 'admin', '--help'])).toContain('auctions show ID')
  })

  test('default: firmquote-addresses generates the modules of a deployment', async () => {
    const deployment = join(import.meta.dirname, '../../../packages/addresses/deployments/8453.json')
    const args = ['generate', '--in', deployment, '--out', 'addresses']
    const said = await project.run('npx', ['firmquote-addresses', ...args])
    expect(said).toBe('wrote addresses/deployment.ts\nwrote addresses/adapters.ts\n')
    expect(await project.run('npx', ['firmquote-addresses', ...args, '--check'])).toBe('addresses is up to date\n')
  })

  test('behavior: a tarball contains the build, a README and a licence, but no sources, tests or source maps', () => {
    for (const name of ['core', 'addresses', 'sdk', 'react', 'devnet', 'server', 'cli', 'daemon', 'demo', 'verify']) {
      const files = execFileSync('find', ['.', '-type', 'f', '-not', '-path', './node_modules/*'], {
        cwd: join(project.folder, 'node_modules/@firmquote', name),
        encoding: 'utf8',
      }).split('\n')
      expect(files).toEqual(expect.arrayContaining(['./README.md', './LICENSE', './package.json']))
      expect(files.filter((file) => /\.test\.|\.map$|tsconfig|\.turbo|\/tests?\/|^\.\/src\//.test(file))).toEqual([])
    }
  })

  test('behavior: the server includes the web app and Swagger UI with compressed copies and without source maps', () => {
    const dist = join(project.folder, 'node_modules/@firmquote/server/dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(?:web|docs)\/.*\.(?:js|css)$/.test(file),
    )
    expect(files).toEqual(expect.arrayContaining(['docs/swagger-ui-bundle.js', 'docs/swagger-ui.css']))
    for (const file of files) {
      const bytes = readFileSync(join(dist, file))
      expect(brotliDecompressSync(readFileSync(join(dist, `${file}.br`)))).toEqual(bytes)
      expect(gunzipSync(readFileSync(join(dist, `${file}.gz`)))).toEqual(bytes)
      expect(bytes.includes('sourceMappingURL')).toBe(false)
    }
  })
})
