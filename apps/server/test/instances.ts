import type { Devnet } from '@firmquote/devnet'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import type { Bus } from '../src/ports/bus.ts'
import { StorageUnavailableError } from '../src/ports/errors.ts'
import type { Store } from '../src/ports/store.ts'
import { type RealServer, type RealServerOptions, startRealServer } from './realServer.ts'
import { createSharedLease } from './sharedLease.ts'

/** One of several complete servers on the same rows. */
export type InstanceServer = RealServer & {
  /** Cuts it off from the database, from the messages of the others, or from neither. */
  cut(from: { database?: boolean; bus?: boolean }): void
  /** How often it has begun to look at the open auctions. */
  looks(): number
}

/** What an instance has of its own of what all share. It closes what is its own alone. */
export type SharedParts = { store: Store; bus: Bus; cut: InstanceServer['cut']; close(): Promise<void> }

/** Several complete servers in one process: doors and all, on one store, with a bus between them. */
export type Instances = { servers: InstanceServer[]; close(): Promise<void> }

/** The address that backers sign, of all instances: as behind a proxy. */
export const publicAudience = 'wss://rfq.example.com/ws/rfq'

/** How long a database that does not answer is waited for, in milliseconds. */
const patienceMs = 2_000

/**
 * Starts instances, one after the other.
 *
 * @param options.shared makes the parts of each; by default all have one SQLite store in memory and a bus of their own process.
 */
export async function startInstances(
  devnet: Devnet,
  {
    count = 3,
    shared,
    ...options
  }: Partial<RealServerOptions> & { count?: number; shared?: () => Promise<SharedParts> },
): Promise<Instances> {
  const memory = shared ? null : await createSharedMemory()
  const share = shared ?? memory?.share
  const servers: InstanceServer[] = []
  const parts: SharedParts[] = []
  for (let number = 0; share && number < count; number += 1) {
    const part = await share()
    parts.push(part)
    const { store, bus, cut } = part
    let looks = 0
    const counted: Store = {
      ...store,
      listOpenAuctions() {
        looks += 1
        return store.listOpenAuctions()
      },
    }
    const server = await startRealServer(devnet, {
      audience: publicAudience,
      ...options,
      shared: { store: counted, bus },
    })
    servers.push({ ...server, cut, looks: () => looks })
  }
  return {
    servers,
    async close() {
      for (const part of parts) part.cut({})
      await Promise.all(servers.map((server) => server.close()))
      for (const part of parts) await part.close()
      await memory?.close()
    },
  }
}

/** One SQLite store in memory for several instances, and what carries messages between their buses. */
async function createSharedMemory() {
  const store = await createSqliteStore({ file: ':memory:' })
  const lease = createSharedLease(() => performance.now())
  const members: { bus: Bus; isCut: boolean }[] = []

  const share = async (): Promise<SharedParts> => {
    let isCut = false
    const own = createInProcessBus({
      onError: (error) => {
        throw error
      },
    })
    const member = { bus: own, isCut: false }
    members.push(member)
    const guarded = ([name, method]: [string, unknown]) => [
      name,
      name === 'integrity'
        ? method
        : async (...given: unknown[]) => {
            if (isCut) {
              await new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
              throw new StorageUnavailableError('The database did not answer.')
            }
            return (method as (...given: unknown[]) => unknown)(...given)
          },
    ]
    return {
      store: Object.fromEntries(Object.entries(lease.share(store)).map(guarded)) as unknown as Store,
      bus: {
        ...own,
        publish(subject, payload) {
          own.publish(subject, payload)
          if (member.isCut) return
          setImmediate(() => {
            for (const other of members) if (other !== member && !other.isCut) other.bus.publish(subject, payload)
          })
        },
      },
      cut({ database = false, bus = false }) {
        isCut = database
        member.isCut = bus
      },
      close: () => own.close(),
    }
  }
  return { share, close: store.close }
}
