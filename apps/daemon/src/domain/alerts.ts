/** What runs out: a maker that meets it quotes less, or nothing. */
export type AlertCode = 'EXPOSURE_AT_LIMIT' | 'ALLOWANCE_LOW' | 'BALANCE_LOW' | 'GAS_MONEY_LOW'

/** Something that the operator has to do. */
export type Alert = {
  code: AlertCode
  /** The loan token by its symbol; null for what concerns none. */
  token: string | null
  /** What is wrong, and what to do. */
  message: string
}

/** What the maker has of a loan token. Raw units. */
export type TokenFunds = {
  /** Its symbol, different from those of the others. */
  token: string
  balance: bigint
  allowance: bigint
  /** The notional of the quotes that can still be taken. */
  quoted: bigint
  /** The notional of the maker's positions that are not settled. */
  open: bigint
}

/** From when on something runs out. */
export type AlertLimits = {
  /** Balance and allowance: below so many percent of all the maker's money in a token, that in positions included. */
  lowPercent: number
  /** The coins for so many transactions. */
  transactions: number
}

/** What a transaction of the daemon costs at most, a batch of the keeper left out. Gas. */
const transactionGas = 150_000n

/** Judges what runs out. `gas` is in wei. */
export function judgeAlerts(
  tokens: readonly TokenFunds[],
  gas: { balance: bigint; gasPrice: bigint },
  limits: AlertLimits,
): Alert[] {
  const alerts = tokens.flatMap((funds) => judgeToken(funds, limits))
  if (gas.balance < gas.gasPrice * transactionGas * BigInt(limits.transactions)) {
    const message = `The maker's coins pay for fewer than ${limits.transactions} transactions; send it some.`
    alerts.push({ code: 'GAS_MONEY_LOW', token: null, message })
  }
  return alerts
}

function judgeToken({ token, balance, allowance, quoted, open }: TokenFunds, { lowPercent }: AlertLimits): Alert[] {
  const alerts: Alert[] = []
  const usable = balance < allowance ? balance : allowance
  const all = balance + open
  if (all === 0n && allowance === 0n) return alerts
  const isLow = (amount: bigint) => amount * 100n < all * BigInt(lowPercent)
  if (isLow(allowance) || allowance === 0n) {
    const message = `The quote market may move less than ${lowPercent} % of the ${token}; \`firmquote-daemon approve\` raises its allowance.`
    alerts.push({ code: 'ALLOWANCE_LOW', token, message })
  }
  if (isLow(balance) || balance === 0n) {
    const message = `Less than ${lowPercent} % of the ${token} is free, the rest is in positions; send more, or wait for settlements.`
    alerts.push({ code: 'BALANCE_LOW', token, message })
  }
  if (quoted > 0n && quoted * 100n >= usable * 95n) {
    const message = `Quotes hold 95 % or more of what may be quoted in ${token}; until they end there are no others. Send more, raise the allowance, or shorten lifetimeSeconds.`
    alerts.push({ code: 'EXPOSURE_AT_LIMIT', token, message })
  }
  return alerts
}

/** What tells two alerts apart, whatever their texts. */
export function keyOf({ code, token }: Pick<Alert, 'code' | 'token'>): string {
  return `${code} ${token ?? ''}`
}
