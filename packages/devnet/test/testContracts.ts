// Contracts for tests only. The published package does not contain them.

export { blacklistingTokenAbi, blacklistingTokenBytecode } from '../src/generated/blacklistingToken.ts'
export { erc1271WalletAbi, erc1271WalletBytecode } from '../src/generated/erc1271Wallet.ts'
export { feeTokenAbi, feeTokenBytecode } from '../src/generated/feeToken.ts'
export { hostileErc1271WalletAbi, hostileErc1271WalletBytecode } from '../src/generated/hostileErc1271Wallet.ts'
export { noReturnTokenAbi, noReturnTokenBytecode } from '../src/generated/noReturnToken.ts'
export { receiptVerifierAbi, receiptVerifierBytecode } from '../src/generated/receiptVerifier.ts'
export { reentrantTokenAbi, reentrantTokenBytecode } from '../src/generated/reentrantToken.ts'
export {
  switchableErc1271WalletAbi,
  switchableErc1271WalletBytecode,
} from '../src/generated/switchableErc1271Wallet.ts'
