import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { hostname } from 'node:os'
import { type Clock, closeCodes, type QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import { type Address, zeroHash } from 'viem'
import type { Integrator, Service } from '../app/service.ts'
import { browserFolders } from '../browserFolders.ts'
import { createChallenge } from '../domain/challenge.ts'
import { defaultEntryLimits, type EntryLimits } from '../entry/entryLimits.ts'
import { createHttpApp } from '../entry/http/createHttpApp.ts'
import { type HttpContext, relayPath } from '../entry/http/httpContext.ts'
import { limitPipelining } from '../entry/http/limitPipelining.ts'
import { messageClassesOf } from '../entry/http/messageClasses.ts'
import { endWithProblem, problemOfConnection } from '../entry/http/responses/rawProblem.ts'
import { swaggerFiles } from '../entry/http/webApp/apiExplorerRoutes.ts'
import { limitConnections } from '../entry/limitConnections.ts'
import { networksOf } from '../entry/networksOf.ts'
import { type BackerSocketServer, createBackerSocketServer } from '../entry/ws/backerSocketServer.ts'
import { ConfigurationError } from '../ports/errors.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { NodeRelay } from '../ports/nodeRelay.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Tracing } from '../ports/tracing.ts'
import { openDocsSite } from './openDocsSite.ts'
import { openWebApp } from './openWebApp.ts'
import { openWebAppFolder } from './openWebAppFolder.ts'

/** What the doors are made of. */
export type ServerOptions = {
  service: Service
  /** Whether there may be other instances: then one that stops takes no new backers. Default: there are none. */
  isShared?: boolean
  /** The market whose quotes are served. */
  domain: QuoteDomain
  /** Recovers the address that has signed the answer to a challenge. */
  signatures: Pick<Signatures, 'recoverSigner'>
  clock: Clock
  /** Returns so many bytes from a cryptographic source. */
  random: (bytes: number) => Uint8Array
  log: Logger
  /** What `/metrics` shows, and counts of the doors. */
  metrics: HttpContext['metrics'] & Pick<Metrics, 'connectionCut' | 'seatGivenBack' | 'backerRefused'>
  /** Writes traces. Default: none are written. */
  tracing?: Tracing
  /**
   * The public URL of the backer socket, which backers sign: `wss://rfq.example.com/ws/rfq`. By default
   * `ws://localhost:<port>/ws/rfq` with the port that is listened on.
   */
  audience?: string
  limits?: Partial<EntryLimits>
  /** The backers that may connect, lower-case; absent: every backer. */
  allowList?: ReadonlySet<string>
  /** Who has a key with quotas of its own, by the SHA-256 of the key in lower-case hex. Default: nobody. */
  integrators?: ReadonlyMap<string, Integrator>
  /** Express's `trust proxy`: which proxies may name the client's address. Default: none. */
  trustProxy?: boolean | number | string
  /** On a devnet: its node, which the page may use, and the accounts that the page may use there without a wallet. */
  devnet?: { relay: NodeRelay; demoAccount: Address | null; demoSmartAccount?: Address | null }
  /** The project id with which the page offers WalletConnect and Coinbase Wallet. Default: it does not. */
  walletConnectProject?: string
  /** The block explorer that the page links to, without a slash at its end. Default: that of the chain. */
  explorer?: string
  /** The folder of the web client; by default the one that the build puts beside the code. */
  webAppFolder?: URL
  /** The folder of the documentation; by default the one that `npm run docs` puts beside the code. */
  docsSiteFolder?: URL
}

/** A server that can be started once and stopped once. */
export type FirmquoteServer = {
  /**
   * Starts to listen; port 0 takes any free one.
   *
   * @throws {ConfigurationError} when the address cannot be listened on; the message says why in one sentence.
   */
  listen(address: { port: number; host?: string }): Promise<{ port: number }>
  /**
   * Refuses new auctions, lets open ones run to their end (for `drainMs` at most), closes every socket and resolves when
   * all connections have ended. The owner of the service stops what the service uses (sync, bus, store) afterwards.
   */
  close(): Promise<void>
}

/**
 * Creates the two doors, HTTP and the backer socket, of a service.
 *
 * @throws {ConfigurationError} when `audience` is not the address of a backer socket, or the page is not one of this server.
 */
export function createFirmquoteServer(options: ServerOptions): FirmquoteServer {
  const { service, domain, signatures, clock, log, trustProxy = false } = options
  const limits: EntryLimits = { ...defaultEntryLimits, ...options.limits }
  let closing: Promise<void> | undefined
  let isClosed = false
  let backerDoor: BackerSocketServer | undefined
  let audience = options.audience

  // Backers could not sign a malformed address: it is refused now, not at the first connection.
  if (options.audience !== undefined) createChallenge({ audience: options.audience, nonce: zeroHash, now: 0 })

  const { devnet, webAppFolder = browserFolders.web, docsSiteFolder = browserFolders.docsSite } = options
  const page = openWebApp(webAppFolder, {
    ...(devnet && { 'devnet-rpc': relayPath }),
    ...(devnet?.demoAccount && { 'demo-account': devnet.demoAccount }),
    ...(devnet?.demoSmartAccount && { 'demo-smart-account': devnet.demoSmartAccount }),
    ...(options.walletConnectProject && { 'walletconnect-project': options.walletConnectProject }),
    ...(options.explorer && { explorer: options.explorer }),
  })
  if (!page) log.warn('there is no page at /: it has not been built')

  const app = createHttpApp({
    service,
    domain,
    clock,
    log,
    limits,
    audience: () => audience ?? '',
    ...(options.allowList && { allowList: options.allowList }),
    integrators: options.integrators ?? new Map(),
    docs: openWebAppFolder(browserFolders.docs, swaggerFiles),
    page,
    docsSite: openDocsSite(docsSiteFolder),
    relay: devnet?.relay ?? null,
    machineName: hostname(),
    metrics: options.metrics,
    ...(options.tracing && { tracing: options.tracing }),
    sockets: () => backerDoor?.count() ?? { pending: 0, seated: 0 },
    trustProxy,
    draining: () => closing !== undefined,
    closing: () => isClosed,
  })
  const turns = limitPipelining(app, {
    clock,
    limits,
    onIdle() {
      if (isClosed) setImmediate(() => http.closeIdleConnections())
    },
    onCut(socket, reason) {
      log.info({ reason }, 'a connection was cut')
      options.metrics.connectionCut(reason)
      // Node has parsed all that was read of it before it could be cut: a network cannot have that done again and again.
      if (reason === 'pipelining') connections.penalize(socket)
    },
  })
  const http = createHttpServer(
    {
      ...messageClassesOf(app),
      // How long a request may take to arrive; an answer may take any time.
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // Longer than the minute that load balancers keep an idle connection, so that they close it first.
      keepAliveTimeout: 65_000,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    turns.serve,
  )
  const isTrustedProxy = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const connections = limitConnections(http, {
    clock,
    limits,
    networkOf: (address) => (isTrustedProxy(address, 0) ? null : networksOf(address).address),
    refuse(socket) {
      options.metrics.connectionCut('too_many')
      socket.on('error', (err) => log.debug({ err }, 'a connection failed'))
      endWithProblem(socket, { code: 'OVERLOADED', detail: 'There are too many connections from this network.' })
    },
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A connection in the middle of an answer must not get a second one.
    if (error.code === 'ECONNRESET' || turns.isServing(socket)) socket.destroy()
    else endWithProblem(socket, problemOfConnection(error.code))
  })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', (err) => log.debug({ err }, 'a connection failed'))
    const isLeaving = closing !== undefined && options.isShared === true
    if (isClosed || isLeaving || !backerDoor) {
      endWithProblem(socket, { code: 'OVERLOADED', detail: 'The service is restarting; ask again in a moment.' })
    } else if (service.storage.isLost()) {
      endWithProblem(socket, { code: 'STORAGE_UNAVAILABLE', detail: 'The database cannot be written to.' })
    } else if (request.url?.split('?')[0] !== '/ws/rfq') {
      endWithProblem(socket, { code: 'NOT_FOUND', detail: 'There is no such socket; backers connect to /ws/rfq.' })
    } else {
      // Only a server with connections of another kind gets anything but a Socket here.
      backerDoor.accept(request, socket as Socket, head)
    }
  })

  // Nothing can be accepted here: backers and borrowers find another instance, or this one again.
  const stopWatching = service.storage.onLost(() => {
    log.warn('clients are sent elsewhere, since the database cannot be written to')
    backerDoor?.disconnect(closeCodes.restart, 'storage unavailable')
    service.hub.endFollowing()
  })

  async function closeDoors(): Promise<void> {
    // Open auctions run to their end, and their backers and borrowers are served as before.
    const drained = service.hub.drain()
    if (limits.drainMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(limits.drainMs, resolve)
        void drained.then(cancel).then(resolve)
      })
    }
    const { open } = service.hub.count()
    if (open > 0) log.warn({ auctions: open }, 'open auctions are left to the next start')
    isClosed = true
    stopWatching()
    service.hub.stop()
    await backerDoor?.close()
    if (!http.listening) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(limits.closeGraceMs, () => http.closeAllConnections())
      http.close(() => {
        cancel()
        turns.stop()
        connections.stop()
        resolve()
      })
    })
  }

  return {
    async listen({ port, host }) {
      const taken = await new Promise<number>((resolve, reject) => {
        const fail = (cause: NodeJS.ErrnoException) => reject(listenFailure(cause, port, host))
        http.once('error', fail)
        http.listen({ port, ...(host !== undefined && { host }) }, () => {
          http.off('error', fail)
          http.on('error', (err) => log.error({ err }, 'the HTTP server failed'))
          resolve((http.address() as AddressInfo).port)
        })
      })
      audience ??= `ws://localhost:${taken}/ws/rfq`
      const { allowList } = options
      backerDoor = createBackerSocketServer({
        service,
        domain,
        signatures,
        clock,
        random: options.random,
        log,
        limits,
        audience,
        ...(allowList && { allowList }),
        observe: options.metrics,
        ...(options.tracing && { tracing: options.tracing }),
      })
      return { port: taken }
    },
    close() {
      closing ??= closeDoors()
      return closing
    },
  }
}

function listenFailure(cause: NodeJS.ErrnoException, port: number, host: string | undefined): ConfigurationError {
  switch (cause.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(`Port ${port} is taken; stop what listens there or set PORT to another one.`, {
        cause,
      })
    case 'EACCES':
      return new ConfigurationError(
        `Port ${port} needs more rights than this process has; set PORT to one above 1023.`,
        {
          cause,
        },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigurationError(`This machine has no address ${host}; set HOST to one that it has.`, { cause })
    default:
      return new ConfigurationError(`The server cannot listen on port ${port} (${cause.code ?? cause.message}).`, {
        cause,
      })
  }
}
