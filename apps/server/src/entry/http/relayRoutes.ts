import { isIP } from 'node:net'
import { problems } from '@firmquote/core/endpoints'
import { decode, type Shape } from '@firmquote/core/wire'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import * as z from 'zod/mini'
import type { NodeAnswer } from '../../ports/nodeRelay.ts'
import { type HttpContext, relayPath } from './httpContext.ts'
import { jsonBody } from './jsonBody.ts'
import { allow, headersOf } from './responses/answer.ts'
import { problemOf } from './responses/problem.ts'

/** The methods that the relay accepts. None of these methods controls the devnet. */
const methods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_syncing',
  'net_version',
  'web3_clientVersion',
])

/** Large enough for the largest transaction and a batch of reads. */
const bodyBytes = 131_072
const callsAtOnce = 100

/** The relay's error codes: those of JSON-RPC, and `Unauthorized` from EIP-1193. */
const rpcCodes = {
  unreadable: -32700,
  invalid: -32600,
  unknownMethod: -32601,
  noAnswer: -32603,
  unauthorized: 4100,
} as const

type Id = string | number | null
type RpcCall = { jsonrpc: '2.0'; id: Id; method: string; params?: unknown }
type RpcAnswer = { jsonrpc: '2.0'; id: Id } & NodeAnswer

const callShape: Shape<RpcCall> = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  method: z.string(),
  params: z.exactOptional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
})

/**
 * Exposes the devnet node on this server's origin, but only to the server's own web app. Other sites may call the rest
 * of the API, but not this node, whose accounts sign for every caller.
 */
export function addRelayRoutes(app: Express, { relay, machineName }: Pick<HttpContext, 'relay' | 'machineName'>): void {
  if (!relay) return

  const refuseOtherOrigins: RequestHandler = (req, res, next) => {
    if (isOwnName(req.headers.host ?? '', machineName) && isOfThisOrigin(req)) return next()
    sendRpc(res, 403, failure(null, rpcCodes.unauthorized, "Only this server's web app may use its devnet."))
  }

  const answerCall = async (value: unknown): Promise<RpcAnswer> => {
    const decoded = decode(callShape, value)
    if (!decoded.ok) return failure(null, rpcCodes.invalid, 'The request is not a JSON-RPC 2.0 request with an id.')
    // Relays the decoded request, not the client's text.
    const { id, method, params } = decoded.value
    if (!methods.has(method)) {
      return failure(id, rpcCodes.unknownMethod, 'This method is not relayed to the devnet.')
    }
    const answer = await relay({ method, ...(params !== undefined && { params }) })
    return answer ? { jsonrpc: '2.0', id, ...answer } : failure(id, rpcCodes.noAnswer, 'The devnet is not responding.')
  }

  app
    .route(relayPath)
    .post(
      refuseOtherOrigins,
      jsonBody(bodyBytes),
      async (req: Request, res: Response) => {
        const value = parseBody(req.body)
        if (value === undefined) {
          sendRpc(res, 400, failure(null, rpcCodes.unreadable, 'The body is not JSON.'))
        } else if (!Array.isArray(value)) {
          sendRpc(res, 200, await answerCall(value))
        } else if (value.length === 0 || value.length > callsAtOnce) {
          sendRpc(res, 400, failure(null, rpcCodes.invalid, `A batch has 1 to ${callsAtOnce} requests.`))
        } else {
          sendRpc(res, 200, await Promise.all(value.map(answerCall)))
        }
      },
      answerProblem,
    )
    .all(allow('POST'))
}

/**
 * Whether a host is an IP address or one of this machine's own names. With DNS rebinding, another site's name may
 * resolve to this machine, so that the site's requests would count as same-origin.
 */
function isOwnName(host: string, machineName: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === machineName.toLowerCase()
}

/**
 * Whether a request comes from this origin. Browsers send the origin in headers that a site cannot change; other
 * clients may omit them.
 */
function isOfThisOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers omit `Sec-Fetch-Site` for sites loaded from another machine without TLS.
  const { origin = '', host } = headers
  return URL.canParse(origin) && new URL(origin).host === host
}

/** Formats errors as JSON-RPC. */
const answerProblem: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const { code, detail, status = problems[code].status } = problemOf(error)
  if (status >= 500) next(error)
  else sendRpc(res, status, failure(null, rpcCodes.invalid, detail))
}

function failure(id: Id, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Sends a response without the CORS headers used by the rest of the API. */
function sendRpc(res: Response, status: number, value: RpcAnswer | RpcAnswer[]): void {
  const body = Buffer.from(JSON.stringify(value))
  const headers = headersOf(res, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  delete headers['Access-Control-Allow-Origin']
  delete headers['Access-Control-Expose-Headers']
  res.writeHead(status, headers).end(body)
}

/** Parses a body accepted by `jsonBody`. Returns undefined if the body is not JSON. */
function parseBody(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
