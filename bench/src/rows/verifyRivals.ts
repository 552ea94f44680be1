import { randomBytes, randomInt } from 'node:crypto'
import { quoteEip712Domain, quoteTypes } from '@firmquote/core'
import { bytesToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSide, type Side } from '../compare.ts'
import { loadRival } from '../rivals.ts'
import { freshSignedQuotes, sampleDomain, sampleKey } from '../sampleQuotes.ts'
import type { AirSwap, Cow, Ethers5, Ethers6, OneInch, UniswapX } from './rivalModules.ts'

/** How a package of others verifies; without a side where it is not installed. */
export type VerifyRival = { rival: string; how: string; side?: Side }

const { chainId, quoteMarket: contract } = sampleDomain
const { address: maker, sign } = privateKeyToAccount(sampleKey)
const [token, otherToken] = [`0x${'44'.repeat(20)}`, `0x${'55'.repeat(20)}`]
const deadline = 1_900_000_000
const amount = () => String(1_000_000_000 + randomInt(1_000_000_000))

/** Packages that other order books use: each verifies signed orders of its own kind, by its own calls. */
export function createVerifyRivals(): VerifyRival[] {
  const ethers5 = loadRival<Ethers5>('ethers')?.module
  const ethers6 = loadRival<Ethers6>('ethers6')
  if (!ethers5 || !ethers6) return names.map((rival) => ({ rival, how: 'not installed' }))
  const { BigNumber, Wallet } = ethers5
  const wallet = new Wallet(sampleKey)

  return [
    rivalOf('ethers6', '`verifyTypedData`, the same quotes', ({ verifyTypedData }: Ethers6) =>
      verifies(freshSignedQuotes, ({ signature, ...quote }) => {
        return verifyTypedData(quoteEip712Domain(sampleDomain), quoteTypes, quote, signature) === quote.maker
      }),
    ),

    rivalOf('@airswap/utils', '`getSignerFromOrderERC20Signature`', (airswap: AirSwap) =>
      verifies(
        several(async () => {
          const tokens = { signerToken: token, signerAmount: amount(), senderToken: otherToken, senderAmount: amount() }
          const terms = { nonce: amount(), expiry: String(deadline), signerWallet: maker, protocolFee: '7' }
          const order = airswap.createOrderERC20({ ...terms, ...tokens })
          return { order, ...(await airswap.createOrderERC20Signature(order, sampleKey, contract, chainId)) }
        }),
        ({ order, v, r, s }) =>
          airswap.getSignerFromOrderERC20Signature(order, contract, chainId, v, r, s).toLowerCase() === lowerMaker,
      ),
    ),

    rivalOf('@cowprotocol/contracts', '`decodeSignatureOwner`', (cow: Cow) => {
      const [domain, scheme] = [cow.domain(chainId, contract), cow.SigningScheme.EIP712]
      return verifies(
        several(async () => {
          const tokens = { sellToken: token, sellAmount: amount(), buyToken: otherToken, buyAmount: amount() }
          const terms = { receiver: maker, validTo: deadline, feeAmount: '0', kind: 'sell', partiallyFillable: false }
          const order = { ...tokens, ...terms, appData: bytesToHex(randomBytes(32)) }
          return { order, signature: (await cow.signOrder(domain, order, wallet, scheme)).data }
        }),
        ({ order, signature }) => cow.decodeSignatureOwner(domain, order, scheme, signature) === maker,
      )
    }),

    rivalOf('@1inch/limit-order-sdk', '`getOrderHash`, then `recoverAddress` of ethers 6', (oneInch: OneInch) => {
      const { Address, LimitOrder } = oneInch
      return verifies(
        several(async () => {
          const makerSide = {
            maker: new Address(maker),
            makerAsset: new Address(token),
            makingAmount: BigInt(amount()),
          }
          const takerSide = { takerAsset: new Address(otherToken), takingAmount: BigInt(amount()) }
          const order = new LimitOrder({ ...makerSide, ...takerSide })
          return { order, signature: await sign({ hash: order.getOrderHash(chainId) }) }
        }),
        ({ order, signature }) => ethers6.module.recoverAddress(order.getOrderHash(chainId), signature) === maker,
      )
    }),

    rivalOf('@uniswap/uniswapx-sdk', '`DutchOrder.getSigner`', ({ DutchOrder }: UniswapX) =>
      verifies(
        several(async () => {
          const big = () => BigNumber.from(amount())
          const input = big()
          const order = new DutchOrder(
            {
              ...{ reactor: contract, swapper: maker, nonce: big(), deadline, decayStartTime: deadline - 60 },
              ...{ decayEndTime: deadline, exclusiveFiller: zeroAddress, exclusivityOverrideBps: BigNumber.from(0) },
              ...{ additionalValidationContract: zeroAddress, additionalValidationData: '0x' },
              input: { token, startAmount: input, endAmount: input },
              outputs: [{ token: otherToken, startAmount: big(), endAmount: BigNumber.from(1), recipient: maker }],
            },
            1,
          )
          const { domain, types, values } = order.permitData()
          return { order, signature: await wallet._signTypedData(domain, types, values) }
        }),
        ({ order, signature }) => order.getSigner(signature) === maker,
      ),
    ),
  ]
}

const lowerMaker = maker.toLowerCase()
const names = ['ethers', '@airswap/utils', '@cowprotocol/contracts', '@1inch/limit-order-sdk', '@uniswap/uniswapx-sdk']

type Verification = (name: string) => Side

function rivalOf<Module>(folder: string, how: string, verification: (module: Module) => Verification): VerifyRival {
  const loaded = loadRival<Module>(folder)
  if (!loaded) return { rival: folder, how: 'not installed' }
  const rival = `${loaded.name} ${loaded.version}`
  return { rival, how, side: verification(loaded.module)(rival) }
}

/** Orders are signed outside of what is timed; only their verification is. */
function verifies<Signed>(
  prepare: (count: number) => Signed[] | Promise<Signed[]>,
  verify: (signed: Signed) => boolean,
): Verification {
  return (name) => createSide(name, prepare, verify)
}

function several<T>(create: () => Promise<T>): (count: number) => Promise<T[]> {
  return (count) => Promise.all(Array.from({ length: count }, create))
}
