import type { QuoteMarketQuote } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { BackerSigner } from '@firmquote/sdk'
import { type Address, bytesToHex, type Hex, zeroAddress } from 'viem'

/** Creates the terms of a quote for any taker, valid for ten minutes, with a random salt. */
export function quoteOf(
  maker: Address,
  terms: Partial<QuoteMarketQuote> & Pick<QuoteMarketQuote, 'poolId' | 'seriesKey' | 'notional' | 'vrtAmount'>,
): QuoteMarketQuote {
  return {
    ...{ maker, taker: zeroAddress, nonce: 0n, deadline: BigInt(Math.floor(Date.now() / 1_000) + 600) },
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    ...terms,
  }
}

/** Creates a maker's signer. */
export function signerOf({ chainId, contracts }: Pick<Devnet, 'chainId' | 'contracts'>, privateKey: Hex): BackerSigner {
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = contracts
  const factoryAddress = interestRatePoolAddress
  const signer = new BackerSigner({ chainId, quoteMarketAddress, interestRatePoolAddress, factoryAddress })
  signer.setPrivateKey(privateKey)
  return signer
}
