import type { Hex } from 'viem'

// What of the rivals is called here. They are not installed where types are checked.

type SignTypedData = (domain: object, types: object, values: object) => Promise<Hex>
type BigNumber = { toString(): string }

/** Of ethers 6. */
export type Ethers6 = {
  verifyTypedData(domain: object, types: object, message: object, signature: string): string
  recoverAddress(digest: string, signature: string): string
}

/** Of ethers 5, which some rivals are built on. */
export type Ethers5 = {
  BigNumber: { from(value: string | number): BigNumber }
  Wallet: new (key: string) => { _signTypedData: SignTypedData }
}

/** Of @airswap/utils. */
export type AirSwap = {
  createOrderERC20(fields: Record<string, string>): object
  createOrderERC20Signature(
    order: object,
    key: string,
    contract: string,
    chainId: number,
  ): Promise<Record<'v' | 'r' | 's', string>>
  getSignerFromOrderERC20Signature(
    order: object,
    contract: string,
    chainId: number,
    v: string,
    r: string,
    s: string,
  ): string
}

/** Of @cowprotocol/contracts. */
export type Cow = {
  SigningScheme: { EIP712: number }
  domain(chainId: number, contract: string): object
  signOrder(domain: object, order: object, owner: object, scheme: number): Promise<{ data: string }>
  decodeSignatureOwner(domain: object, order: object, scheme: number, signature: string): string
}

/** Of @1inch/limit-order-sdk. */
export type OneInch = {
  Address: new (address: string) => object
  LimitOrder: new (fields: object) => { getOrderHash(chainId: number): Hex }
}

/** Of @uniswap/uniswapx-sdk. */
export type UniswapX = {
  DutchOrder: new (
    fields: object,
    chainId: number,
  ) => {
    permitData(): { domain: object; types: object; values: object }
    getSigner(signature: string): string
  }
}
