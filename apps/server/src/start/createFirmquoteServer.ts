import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { hostname } from 'node:os'
import type { QuoteDomain } from '@firmquote/core'
import { closeCodes } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { type Address, zeroHash } from 'viem'
import type { Service } from '../app/service.ts'
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
import { type BackerSocketServer, createBackerSocketServer } from '../entry/ws/backerSocketServer.ts'
import { ConfigurationError } from '../ports/errors.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { NodeRelay } from '../ports/nodeRelay.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Tracing } from '../ports/tracing.ts'
import { openDocsSite } from './openDocsSite.ts'
import { openWebApp } from './openWebApp.ts'
import { openWebAppFolder } from './openWebAppFolder.ts'

/** Options of {@link createFirmquoteServer}. */
export type ServerOptions = {
  service: Service
  /**
   * Whether other instances may be sharing the database. If so, a stopping instance refuses new backers. Default:
   * false.
   */
  isShared?: boolean
  /** The market whose quotes the server handles. */
  domain: QuoteDomain
  /** Recovers the signer of a challenge response. */
  signatures: Pick<Signatures, 'recoverSigner'>
  clock: Clock
  /** Returns cryptographically secure random bytes. */
  random: (bytes: number) => Uint8Array
  log: Logger
  /** The metrics served at `/metrics`, and the entry points' counters. */
  metrics: HttpContext['metrics'] & Pick<Metrics, 'connectionCut' | 'seatGivenBack' | 'backerRefused'>
  /** Records traces. Default: none are recorded. */
  tracing?: Tracing
  /**
   * Public URL of the backer socket, such as `wss://rfq.example.com/ws/rfq`. Backers sign it. Default:
   * `ws://localhost:<port>/ws/rfq` with the actual port.
   */
  audience?: string
  limits?: Partial<EntryLimits>
  /** Whether the process has no file descriptors left for new connections. Default: never. */
  outOfDescriptors?: () => boolean
  /** Lower-case addresses of the backers allowed to connect. Default: all backers. */
  allowList?: ReadonlySet<string>
  /** Express's `trust proxy` setting: proxies whose forwarded client addresses are trusted. Default: none. */
  trustProxy?: boolean | number | string
  /** On a devnet, a relay to its node, and the accounts that the web app can use without a wallet. */
  devnet?: { relay: NodeRelay; demoAccount: Address | null; demoSmartAccount?: Address | null }
  /** WalletConnect project ID. Enables WalletConnect and Coinbase Wallet in the web app. Default: disabled. */
  walletConnectProject?: string
  /** URL of the block explorer for the web app's links, without a trailing slash. Default: the chain's explorer. */
  explorer?: string
  /** Folder that contains the web app. Default: the build output. */
  webAppFolder?: URL
  /** Folder that contains the docs site. Default: the output of `npm run docs`. */
  docsSiteFolder?: URL
}

/** A server that can be started and stopped once. */
export type FirmquoteServer = {
  /**
   * Starts listening. Port 0 picks a free port.
   *
   * @throws {ConfigurationError} if the address cannot be bound. The message gives the reason in one sentence.
   */
  listen(address: { port: number; host?: string }): Promise<{ port: number }>
  /**
   * Shuts down gracefully: refuses new auctions, gives open auctions up to `drainMs` to finish, and closes all sockets.
   * Resolves once all connections have ended. The caller must then stop the service's sync, bus and store.
   */
  close(): Promise<void>
}

/**
 * Creates a service's entry points: HTTP and the backer socket.
 *
 * @throws {ConfigurationError} if `audience` is not a backer socket URL, or if the web app is from a different version.
 */
export function createFirmquoteServer(options: ServerOptions): FirmquoteServer {
  const { service, domain, signatures, clock, log, trustProxy = false } = options
  const limits: EntryLimits = { ...defaultEntryLimits, ...options.limits }
  let closing: Promise<void> | undefined
  let isClosed = false
  let backerSocket: BackerSocketServer | undefined
  let audience = options.audience

  // Throws at startup if the URL is malformed, because backers could not sign it later.
  if (options.audience !== undefined) createChallenge({ audience: options.audience, nonce: zeroHash, now: 0 })

  const { devnet, webAppFolder = browserFolders.web, docsSiteFolder = browserFolders.docsSite } = options
  const webApp = openWebApp(webAppFolder, {
    ...(devnet && { 'devnet-rpc': relayPath }),
    ...(devnet?.demoAccount && { 'demo-account': devnet.demoAccount }),
    ...(devnet?.demoSmartAccount && { 'demo-smart-account': devnet.demoSmartAccount }),
    ...(options.walletConnectProject && { 'walletconnect-project': options.walletConnectProject }),
    ...(options.explorer && { explorer: options.explorer }),
  })
  if (!webApp) log.warn('the web app is not available: it has not been built')

  const app = createHttpApp({
    service,
    domain,
    clock,
    log,
    limits,
    audience: () => audience ?? '',
    ...(options.allowList && { allowList: options.allowList }),
    apiExplorer: openWebAppFolder(browserFolders.apiExplorer, swaggerFiles),
    webApp,
    docsSite: openDocsSite(docsSiteFolder),
    relay: devnet?.relay ?? null,
    machineName: hostname(),
    metrics: options.metrics,
    ...(options.tracing && { tracing: options.tracing }),
    sockets: () => backerSocket?.count() ?? { pending: 0, seated: 0 },
    protectConnection: (socket) => connections.protect(socket, 'stream'),
    trustProxy,
    draining: () => closing !== undefined,
    outOfDescriptors: options.outOfDescriptors ?? (() => false),
    closing: () => isClosed,
  })
  const pipelining = limitPipelining(app, {
    clock,
    limits,
    onIdle() {
      if (isClosed) setImmediate(() => http.closeIdleConnections())
    },
    onCut(socket, reason) {
      log.info({ reason }, 'closed a connection')
      options.metrics.connectionCut(reason)
      // By the time the server closes the connection, Node.js has parsed everything it read, so the network is charged
      // for that work.
      if (reason === 'pipelining') connections.penalize(socket)
    },
  })
  const http = createHttpServer(
    {
      ...messageClassesOf(app),
      // Timeouts for receiving a request. Sending a response has no timeout.
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // The timeout exceeds the 60 s after which load balancers close idle connections, so that the balancer closes
      // first.
      keepAliveTimeout: 65_000,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    pipelining.serve,
  )
  const isTrustedProxy = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const connections = limitConnections(http, {
    clock,
    limits,
    isTrusted: (address) => isTrustedProxy(address, 0),
    onEvicted: () => options.metrics.connectionCut('too_many'),
    refuse(socket) {
      options.metrics.connectionCut('too_many')
      socket.on('error', (err) => log.debug({ err }, 'connection failed'))
      endWithProblem(socket, { code: 'OVERLOADED', detail: 'This network has too many open connections.' })
    },
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A second response must not be written into the middle of the first.
    if (error.code === 'ECONNRESET' || pipelining.isServing(socket)) socket.destroy()
    else endWithProblem(socket, problemOfConnection(error.code))
  })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', (err) => log.debug({ err }, 'connection failed'))
    const isLeaving = closing !== undefined && options.isShared === true
    if (isClosed || isLeaving || !backerSocket) {
      endWithProblem(socket, { code: 'OVERLOADED', detail: 'The service is restarting; try again in a moment.' })
    } else if (service.storage.isLost()) {
      endWithProblem(socket, { code: 'STORAGE_UNAVAILABLE', detail: 'The database is not accepting writes.' })
    } else if (request.url?.split('?')[0] !== '/ws/rfq') {
      endWithProblem(socket, {
        code: 'NOT_FOUND',
        detail: 'There is no WebSocket endpoint at this path; backers connect to /ws/rfq.',
      })
    } else {
      // The stream is a `Socket` unless the server was created with another kind of stream.
      backerSocket.accept(request, socket as Socket, head)
    }
  })

  // This instance cannot write, so backers and borrowers should reconnect, ideally to another instance.
  const stopWatching = service.storage.onLost(() => {
    log.warn('disconnecting clients: the database is not accepting writes')
    backerSocket?.disconnect(closeCodes.restart, 'storage unavailable')
    service.hub.endFollowing()
  })

  async function shutDown(): Promise<void> {
    // Keeps serving backers and borrowers until their open auctions finish.
    const drained = service.hub.drain()
    if (limits.drainMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(limits.drainMs, resolve)
        void drained.then(cancel).then(resolve)
      })
    }
    const { open } = service.hub.count()
    if (open > 0) log.warn({ auctions: open }, 'open auctions will be resumed at the next start')
    isClosed = true
    stopWatching()
    service.hub.stop()
    await backerSocket?.close()
    if (!http.listening) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(limits.closeGraceMs, () => http.closeAllConnections())
      http.close(() => {
        cancel()
        pipelining.stop()
        connections.stop()
        resolve()
      })
    })
  }

  return {
    async listen({ port, host }) {
      const actualPort = await new Promise<number>((resolve, reject) => {
        const fail = (cause: NodeJS.ErrnoException) => reject(listenFailure(cause, port, host))
        http.once('error', fail)
        http.listen({ port, ...(host !== undefined && { host }) }, () => {
          http.off('error', fail)
          http.on('error', (err) => log.error({ err }, 'HTTP server failed'))
          resolve((http.address() as AddressInfo).port)
        })
      })
      audience ??= `ws://localhost:${actualPort}/ws/rfq`
      const { allowList } = options
      backerSocket = createBackerSocketServer({
        service,
        domain,
        signatures,
        clock,
        random: options.random,
        log,
        limits,
        audience,
        protectConnection: (socket) => connections.protect(socket, 'seat'),
        ...(allowList && { allowList }),
        observe: options.metrics,
        ...(options.tracing && { tracing: options.tracing }),
      })
      return { port: actualPort }
    },
    close() {
      closing ??= shutDown()
      return closing
    },
  }
}

function listenFailure(cause: NodeJS.ErrnoException, port: number, host: string | undefined): ConfigurationError {
  switch (cause.code) {
    case 'EADDRINUSE':
      return new ConfigurationError(
        `Port ${port} is already in use; stop the process that is listening on it, or set PORT to a different port.`,
        {
          cause,
        },
      )
    case 'EACCES':
      return new ConfigurationError(
        `Port ${port} requires more privileges than this process has; set PORT to a port above 1023.`,
        {
          cause,
        },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigurationError(`${host} is not an address of this machine; set HOST to one that is.`, { cause })
    default:
      return new ConfigurationError(`The server cannot listen on port ${port} (${cause.code ?? cause.message}).`, {
        cause,
      })
  }
}
