import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('..', import.meta.url))
const deploymentFile = join(root, 'deployments', '8453.json')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-addresses-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the program', () => {
  function run(args: readonly string[], env: Record<string, string> = {}) {
    const { npm_package_name: _name, npm_lifecycle_event: _event, ...inherited } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src', 'cli.ts'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...inherited, ...env },
    })
    return { status, stdout, stderr }
  }
  const generate = (...more: string[]) =>
    run(['generate', '--in', '8453.json', '--out', 'out', '--name', 'PRODUCTION_DEPLOYMENT', ...more])

  test('default', () => {
    cpSync(deploymentFile, join(folder, '8453.json'))
    expect(generate()).toEqual({
      status: 0,
      stdout: `wrote ${join('out', 'deployment.ts')}\nwrote ${join('out', 'adapters.ts')}\n`,
      stderr: '',
    })
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['adapters.ts', 'deployment.ts'])
    for (const name of readdirSync(join(folder, 'out'))) {
      const committed = readFileSync(join(root, 'src', 'generated', name), 'utf8').replaceAll('\r\n', '\n')
      expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(committed)
    }
  })

  test('behavior: leaves up-to-date files alone and passes the check', () => {
    cpSync(deploymentFile, join(folder, '8453.json'))
    generate()
    const written = statSync(join(folder, 'out', 'deployment.ts')).mtimeMs
    const upToDate = { status: 0, stdout: 'out is up to date\n', stderr: '' }
    expect([generate(), generate('--check')]).toEqual([upToDate, upToDate])
    expect(statSync(join(folder, 'out', 'deployment.ts')).mtimeMs).toBe(written)
  })

  test('error: the check fails on a changed or missing file, writes nothing and prints the command to run', () => {
    cpSync(deploymentFile, join(folder, '8453.json'))
    generate()
    const adapters = join(folder, 'out', 'adapters.ts')
    writeFileSync(adapters, `${readFileSync(adapters, 'utf8')}// by hand\n`)
    rmSync(join(folder, 'out', 'deployment.ts'))
    expect(generate('--check')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${join('out', 'deployment.ts')} does not match 8453.json
${join('out', 'adapters.ts')} does not match 8453.json
Run: npx @firmquote/addresses generate --in 8453.json --out out --name PRODUCTION_DEPLOYMENT
`,
    })
    expect(readFileSync(adapters, 'utf8')).toContain('// by hand')
    expect(readdirSync(join(folder, 'out'))).toEqual(['adapters.ts'])

    const asScript = { npm_package_name: '@firmquote/addresses', npm_lifecycle_event: 'generate' }
    const { stderr } = run(['generate', '--in', '8453.json', '--out', 'out', '--check'], asScript)
    expect(stderr).toContain('Run: pnpm --filter @firmquote/addresses generate\n')
  })

  test('error: rejects an invalid file and writes nothing', () => {
    const text = readFileSync(deploymentFile, 'utf8')
    writeFileSync(
      join(folder, '8453.json'),
      text.replace('0x6BFd', '0x6bfd').replace('"deployBlock": 0', '"deployBlock": -1'),
    )
    expect(generate()).toEqual({
      status: 1,
      stdout: '',
      stderr: `8453.json: deployBlock: must be a non-negative integer
8453.json: contracts.bundler3: wrong EIP-55 checksum, expected 0x6BFd8137e702540E7A42B74178A4a49Ba43920C4
`,
    })
    expect(readdirSync(folder)).toEqual(['8453.json'])
  })

  test('error: a missing file, a folder that cannot be created', () => {
    expect(generate()).toEqual({ status: 1, stdout: '', stderr: '8453.json: no such file\n' })
    cpSync(deploymentFile, join(folder, '8453.json'))
    writeFileSync(join(folder, 'out'), '')
    const { status, stderr } = generate()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^generate failed: .*out.*\n$/)
  })

  test('behavior: --help', () => {
    const { status, stdout, stderr } = run(['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('Usage: npx @firmquote/addresses generate --in FILE --out FOLDER [--name NAME] [--check]')
  })

  test('error: a wrong command line', () => {
    expect(run(['generate', '--force'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'Unknown option --force. The options are --in, --out, --name and --check. See npx @firmquote/addresses --help.\n',
    })
  })
})
