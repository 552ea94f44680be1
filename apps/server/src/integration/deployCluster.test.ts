import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { isListening } from '@firmquote/cluster/isListening'
import { chownUnprivileged, createService, plainEnvironment, unprivilegedUser } from '@firmquote/cluster/managedProcess'
import { runPostgresProgram } from '@firmquote/cluster/postgresFolder'
import { systemClock } from '@firmquote/core/utils'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { parse } from 'yaml'
import { deployFolder } from '../../test/alertRules.ts'
import { parseNatsAddress } from '../adapters/natsBus/natsAddress.ts'
import { createPostgresStore } from '../adapters/postgresStore/postgresStore.ts'

// Runs PostgreSQL and NATS with the files of compose.cluster.yml, as the images would.

const deployed = (file: string) => fileURLToPath(new URL(file, deployFolder))
const compose = parse(readFileSync(deployed('compose.cluster.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { environment: Record<string, string>; volumes: string[]; command: string[] }>
}
/** Returns a service's environment, with the variables that Compose reads from `.env`. */
function environmentOf(name: string, variables: Record<string, string>): Record<string, string> {
  const filled = Object.entries(compose.services[name]?.environment ?? {}).map(([key, value]) => {
    const text = value.replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, (_, variable: string) => variables[variable] ?? 'x')
    return [key, text] as const
  })
  return Object.fromEntries(filled)
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-deploy-'))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withPostgres = findPostgres() ? describe : describe.skip
withPostgres('PostgreSQL', () => {
  const password = "a'b\\c 1"
  let port: number
  let service: ReturnType<typeof createService>

  /** Connects over TCP, as the servers do. */
  const connectAs = async (user: string, database = 'firmquote') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user, password, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  beforeAll(async () => {
    port = await freePort()
    const own = join(folder, 'postgres')
    const programs = findPostgres() ?? ''
    mkdirSync(own)
    const [passwordFile, script] = [join(own, 'password'), join(own, 'firmquote.sql')]
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    const [source = '', target] = compose.services['postgres']?.volumes.at(-1)?.split(':') ?? []
    expect(target).toMatch(/^\/docker-entrypoint-initdb\.d\/\w+\.sql$/)
    copyFileSync(deployed(source), script)
    chownUnprivileged(own, passwordFile, script)
    chmodSync(own, 0o700)
    // The image trusts its Unix socket and asks for a password over TCP.
    const access = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
    await runPostgresProgram('initdb', ['-D', join(own, 'data'), '-U', 'postgres', ...access, '--no-sync'], own)
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: own, port: String(port) }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const as = unprivilegedUser()
    const env = { ...plainEnvironment, ...environmentOf('postgres', { POSTGRES_PASSWORD: password }) }
    const psql = async (...given: string[]) => {
      const args = ['-v', 'ON_ERROR_STOP=1', '--no-password', '--no-psqlrc', '-h', own, '-p', String(port)]
      const options = { ...as, cwd: own, env }
      return promisify(execFile)(join(programs, 'psql'), [...args, '-U', 'postgres', ...given], options)
    }
    service = createService(
      'PostgreSQL',
      { file: join(programs, 'postgres'), args: ['-D', join(own, 'data'), ...flags], cwd: own, as },
      async () => (await psql('-c', 'select 1')).stdout !== '',
    )
    await service.start()
    await psql('-f', script)
  }, 60_000)
  afterAll(() => service?.process().kill('SIGQUIT'))

  test('default: a server can use the database, and sees the size of the WAL', async () => {
    const variables = { POSTGRES_PASSWORD: encodeURIComponent(password) }
    const url = environmentOf('server-1', variables)['DATABASE_URL']?.replace('postgres:5432', `127.0.0.1:${port}`)
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const store = await createPostgresStore({ url: url ?? '', clock: systemClock, log })
    expect(await store.size()).toMatchObject({ data: expect.any(Number), log: expect.any(Number) })
    await store.probe()
    await store.close()
  })

  test('behavior: the role of the servers has no attribute that reaches beyond its database', async () => {
    const client = await connectAs('firmquote')
    const attributes = 'rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls'
    const { rows } = await client.query(`select ${attributes} from pg_roles where rolname = current_user`)
    expect(new Set(Object.values(rows[0]))).toEqual(new Set([false]))
    for (const statement of [
      "copy (select 1) to program 'true'",
      "copy (select 1) to '/tmp/firmquote-copied'",
      "select pg_read_file('/etc/passwd')",
      "select lo_import('/etc/passwd')",
      "alter system set archive_command = 'true'",
      'alter role firmquote superuser',
      'set role postgres',
      'create extension file_fdw',
    ]) {
      expect([statement, await client.query(statement).catch(({ message }) => message)]).toEqual([
        statement,
        expect.stringMatching(/permission denied|must be (?:a )?superuser/),
      ])
    }
    await client.end()
  })

  test('behavior: the superuser cannot log in over the network', async () => {
    await expect(connectAs('postgres', 'postgres')).rejects.toThrow('password authentication failed')
  })
})

const withNats = findNats() ? describe : describe.skip
withNats('NATS', () => {
  // NATS would read the second and the third one as numbers without the quotes.
  test.each(['f00d', '123456789012345678901234', '1e5'])(
    'behavior: it accepts the token %s, no other, and none in its arguments',
    async (token) => {
      const port = await freePort()
      const command = compose.services['nats']?.command ?? []
      const [source = '', target] = compose.services['nats']?.volumes[0]?.split(':') ?? []
      expect(command).toEqual(['nats-server', '--config', target])
      const configuration = join(folder, `${token}.conf`)
      writeFileSync(configuration, readFileSync(deployed(source), 'utf8').replace('4222', String(port)))
      const env = { ...plainEnvironment, ...environmentOf('nats', { NATS_TOKEN: token }) }
      const service = createService(
        'NATS',
        { file: findNats() ?? '', args: ['--config', configuration], cwd: folder, env },
        () => isListening(port),
      )
      await service.start()
      const connectWith = (given: string) => {
        const { NATS_URL: url = '' } = environmentOf('server-1', { NATS_TOKEN: given })
        return connect({ ...parseNatsAddress(url.replace('nats:4222', `127.0.0.1:${port}`)), reconnect: false })
      }
      const connection = await connectWith(token)
      await connection.flush()
      await connection.close()
      await expect(connectWith(`${token}0`)).rejects.toThrow(/authorization/i)
      await service.process().kill('SIGKILL')
    },
  )
})
