import type { Pricer } from '../domain/priceRfq.ts'
import type { Chain } from '../ports/chain.ts'
import type { Service } from '../ports/service.ts'
import type { Tracing } from '../ports/tracing.ts'

/** Ports that are called and awaited while an RFQ is answered. */
type TracedPorts = { service: Service; chain: Chain; pricer: Pricer }

/** Wraps ports so that each call becomes a span, and the submitted quote carries the trace context. */
export function tracePorts<P extends TracedPorts>(ports: P, tracing: Tracing): P {
  const { service, chain, pricer } = ports
  return {
    ...ports,
    service: {
      ...service,
      sign: (quote) => tracing.step('sign', () => service.sign(quote)),
      submit: (rfqId, signed) =>
        tracing.step('send quote', (span) => service.submit(rfqId, signed, span?.traceparent), {
          kind: 'producer',
          attributes: {
            'messaging.system': 'firmquote',
            'messaging.destination.name': 'quote',
            'messaging.operation.type': 'send',
          },
        }),
    },
    chain: {
      ...chain,
      readMaker: (market, quotes) =>
        tracing.step('read maker state', () => chain.readMaker(market, quotes), {
          kind: 'client',
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': 'eth_call' },
        }),
    },
    pricer: (input) => tracing.step('price', async () => pricer(input)),
  }
}
