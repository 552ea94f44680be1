import { decode, type Shape } from '@firmquote/core/wire'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import * as z from 'zod/mini'
import type { NodeAnswer } from '../../ports/nodeRelay.ts'
import { allow } from '../answers/allow.ts'
import { headersOf } from '../answers/answer.ts'
import { problemOf } from '../answers/problem.ts'
import { problemStatus } from '../answers/problemStatus.ts'
import type { HttpDoor } from '../httpDoor.ts'
import { takeJson } from '../takeJson.ts'

/** Where the page finds the devnet's node, in place of a wallet's. */
export const relayPath = '/devnet/rpc'

/** What a wallet's node does for a page, and nothing that only the owner of a devnet does. */
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

/** As much as a transaction may have, and a batch of readings. */
const bodyBytes = 131_072
const callsAtOnce = 100

/** The codes of the relay's own errors: JSON-RPC's, and the `Unauthorized` of EIP-1193. */
const rpcCodes = { unreadable: -32700, invalid: -32600, unknownMethod: -32601, silent: -32603, stranger: 4100 } as const

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
 * The devnet's node on this server's own origin, for this server's own page: the rest of the API may be called from every
 * page, but here are accounts that sign for whoever asks.
 */
export function addRelayRoutes(app: Express, { relay }: Pick<HttpDoor, 'relay'>): void {
  if (!relay) return

  const answerCall = async (value: unknown): Promise<RpcAnswer> => {
    const decoded = decode(callShape, value)
    if (!decoded.ok) return failure(null, rpcCodes.invalid, 'This is not a JSON-RPC 2.0 request with an id.')
    // What goes on is what was read here, not the text that came.
    const { id, method, params } = decoded.value
    if (!methods.has(method)) {
      return failure(id, rpcCodes.unknownMethod, 'This method is not passed on to the devnet.')
    }
    const answer = await relay({ method, ...(params !== undefined && { params }) })
    return answer ? { jsonrpc: '2.0', id, ...answer } : failure(id, rpcCodes.silent, 'The devnet does not answer.')
  }

  app
    .route(relayPath)
    .post(
      refuseStrangers,
      takeJson(bodyBytes),
      async (req: Request, res: Response) => {
        const value = readJson(req.body)
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

const refuseStrangers: RequestHandler = (req, res, next) => {
  if (isOfThisOrigin(req)) return next()
  sendRpc(res, 403, failure(null, rpcCodes.stranger, 'Only the page of this server may use its devnet.'))
}

/** Browsers say where a request comes from, in words that no page can change; whoever says nothing is no browser. */
function isOfThisOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Left out by browsers where the page came from another machine without TLS.
  const { origin = '', host } = headers
  return URL.canParse(origin) && new URL(origin).host === host
}

/** What could not be taken, in the form that whoever speaks JSON-RPC reads. */
const answerProblem: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const { code, detail, status = problemStatus[code] } = problemOf(error)
  if (status >= 500) next(error)
  else sendRpc(res, status, failure(null, rpcCodes.invalid, detail))
}

function failure(id: Id, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Answers without the words by which the rest of the API lets every page read it. */
function sendRpc(res: Response, status: number, value: RpcAnswer | RpcAnswer[]): void {
  const body = Buffer.from(JSON.stringify(value))
  const headers = headersOf(res, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  delete headers['Access-Control-Allow-Origin']
  delete headers['Access-Control-Expose-Headers']
  res.writeHead(status, headers).end(body)
}

/** The value of a body that `takeJson` has let in; undefined when it is not JSON. */
function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
