/**
 * Shortages that cause a maker to quote less or to stop quoting. `LOG_STALE`: the service's log does not show whether
 * promises were kept. Other `LOG_` codes: the service's log does not continue the history that this daemon's witness signed.
 */
export type AlertCode =
  | 'EXPOSURE_AT_LIMIT'
  | 'ALLOWANCE_LOW'
  | 'BALANCE_LOW'
  | 'GAS_MONEY_LOW'
  | 'LOG_STALE'
  | 'LOG_FORKED'
  | 'LOG_INCONSISTENT'
  | 'LOG_KEY_CHANGED'

/** A state that requires the operator to act. */
export type Alert = {
  code: AlertCode
  /** Symbol of the affected loan token, or null if the alert does not concern a token. */
  token: string | null
  /** What is wrong and what to do. */
  message: string
}

/** The maker's funds in a loan token, in raw units. */
export type TokenFunds = {
  /** Unique name of the token, usually its symbol. */
  token: string
  balance: bigint
  allowance: bigint
  /** Notional of quotes that can still be taken. */
  quoted: bigint
  /** Notional of the maker's unsettled positions. */
  open: bigint
}

/** Thresholds of alerts. */
export type AlertLimits = {
  /** Minimum balance and allowance, as a percentage of the maker's total in a token, including positions. */
  lowPercent: number
  /** Minimum number of transactions that the gas balance can pay for. */
  transactions: number
}

/** Maximum gas for one daemon transaction, except keeper batches. */
const transactionGas = 150_000n

/** Returns the alerts for the current state. `gas` is in wei. */
export function judgeAlerts(
  tokens: readonly TokenFunds[],
  gas: { balance: bigint; gasPrice: bigint },
  limits: AlertLimits,
): Alert[] {
  const alerts = tokens.flatMap((funds) => judgeToken(funds, limits))
  if (gas.balance < gas.gasPrice * transactionGas * BigInt(limits.transactions)) {
    const message = `The maker's native coins cover fewer than ${limits.transactions} transactions; send more.`
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
    const message = `The quote market's allowance covers less than ${lowPercent} % of the maker's ${token}; raise it with \`firmquote-daemon approve\`.`
    alerts.push({ code: 'ALLOWANCE_LOW', token, message })
  }
  if (isLow(balance) || balance === 0n) {
    const message = `Less than ${lowPercent} % of the maker's ${token} is free; the rest is in positions. Send more, or wait for positions to settle.`
    alerts.push({ code: 'BALANCE_LOW', token, message })
  }
  if (quoted > 0n && quoted * 100n >= usable * 95n) {
    const message = `Open quotes reserve at least 95 % of the quotable ${token}, so RFQs are declined until these quotes end. Send more, raise the allowance, or shorten lifetimeSeconds.`
    alerts.push({ code: 'EXPOSURE_AT_LIMIT', token, message })
  }
  return alerts
}

/** Identity of an alert, independent of its text. */
export function keyOf({ code, token }: Pick<Alert, 'code' | 'token'>): string {
  return `${code} ${token ?? ''}`
}
