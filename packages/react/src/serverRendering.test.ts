import { ServiceClient } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { expect, test } from '@jest/globals'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { http } from 'viem'
import { base } from 'viem/chains'
import { createConfig, WagmiProvider } from 'wagmi'
import { FirmquoteProvider, useService, useSettle, useTake } from './index.ts'

const signed = exampleQuote()

function Steps() {
  const take = useTake({ quotes: [signed], request: signed, limit: { maxVrtAmount: signed.vrtAmount } })
  return createElement('p', null, `${take.state.step} ${take.isReady} ${useSettle().state.step}`)
}

function Contracts() {
  const { chainId, contracts } = useService().config
  return createElement('p', null, `${chainId} ${contracts.quoteMarket}`)
}

function render(component: () => React.ReactNode, config?: Parameters<typeof FirmquoteProvider>[0]['config']): string {
  const wagmi = createConfig({ chains: [base], transports: { [base.id]: http() }, storage: null, ssr: true })
  const client = new ServiceClient()
  return renderToString(
    createElement(
      WagmiProvider,
      { config: wagmi },
      createElement(
        QueryClientProvider,
        { client: new QueryClient() },
        createElement(FirmquoteProvider, { client, config }, createElement(component)),
      ),
    ),
  )
}

test('default: without a window, the hooks report that no wallet is connected', () => {
  expect(typeof window).toBe('undefined')
  expect(render(Steps)).toBe('<p>connect false connect</p>')
})

test('default: the contracts are the client’s, unless the provider sets others', () => {
  const { chainId, quoteMarketAddress } = new ServiceClient().getConfig()
  expect(render(Contracts)).toBe(`<p>${chainId} ${quoteMarketAddress}</p>`)
  const quoteMarket = signed.maker
  expect(render(Contracts, { chainId: 5, contracts: { quoteMarket, interestRatePool: quoteMarket } })).toBe(
    `<p>5 ${quoteMarket}</p>`,
  )
})

test('error: without a provider, the hooks throw an explanation', () => {
  expect(() => renderToString(createElement(Contracts))).toThrow('There is no FirmquoteProvider above this component.')
})

test('error: a take needs one to four quotes', () => {
  const take = (quotes: (typeof signed)[]) => () =>
    render(() => createElement('p', null, useTake({ quotes, request: signed, limit: { maxApr: 1 } }).state.step))
  expect(take([])).toThrow('quotes: must contain 1 to 4 quotes.')
  expect(take(Array(5).fill(signed))).toThrow('quotes: must contain 1 to 4 quotes.')
})
