// Clocks and checks of single values, for Firmquote's own packages.

export { type Clock, systemClock } from './clock.ts'
export { checkedPositiveUint256, checkedUint256 } from './values/checkedUint256.ts'
export { describeValue } from './values/describeValue.ts'
export { encodeJson } from './values/encodeJson.ts'
export { failureCode } from './values/failureCode.ts'
export { guardInput } from './values/guardInput.ts'
export { limitTransactions, TransactionLimitError, type TransactionLimits } from './values/limitTransactions.ts'
export { parseAddress, parseBytes32, parseSignature } from './values/parseHex.ts'
export { maxUint256, parsePositiveUint256, parseUint256 } from './values/uint256.ts'
export { isUnixSeconds } from './values/unixSeconds.ts'
