import type { Chain } from '../ports/chain.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Store } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'

/** Ports whose calls appear in traces. */
type TracedPorts = { chain: Chain; signatures: Signatures; store: Store }

/** Wraps ports so that each call is a step in the current trace. */
export function tracePorts(
  { chain, signatures, store }: TracedPorts,
  tracing: Tracing,
  database: 'postgresql' | 'sqlite',
): TracedPorts {
  const commit = <T>(operation: string, write: () => Promise<T>) =>
    tracing.step(operation, write, {
      kind: database === 'sqlite' ? 'internal' : 'client',
      attributes: { 'db.system.name': database, 'db.operation.name': operation },
    })

  return {
    chain: {
      ...chain,
      readQuoteStates: (quotes) =>
        tracing.step('read quote state', () => chain.readQuoteStates(quotes), {
          kind: 'client',
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': 'eth_call' },
        }),
    },
    signatures: {
      ...signatures,
      recoverSigner: (digest, signature) =>
        tracing.step('recover signer', () => signatures.recoverSigner(digest, signature)),
    },
    store: {
      ...store,
      openAuction: (auction) => commit('openAuction', () => store.openAuction(auction)),
      acceptQuote: (quote, at) => commit('acceptQuote', () => store.acceptQuote(quote, at)),
      closeAuction: (close) => commit('closeAuction', () => store.closeAuction(close)),
      insertQuote: (quote, limit) => commit('insertQuote', () => store.insertQuote(quote, limit)),
    },
  }
}
