import type { Token } from '@firmquote/react'
import { formatAddress, formatPoolId } from '@firmquote/sdk'
import type { Language } from './chooseLanguage.ts'
import { type NumberSigns, numberSigns } from './numberSigns.ts'

/** How the page writes everything that is not a sentence. */
export type Formats = ReturnType<typeof createFormats>

type Decimals = Pick<Token, 'decimals'>

/** Writes amounts, rates and times in a language. Everything in it is pure; amounts stay integers. */
export function createFormats({ numbers, dates }: Pick<Language, 'numbers' | 'dates'>) {
  const signs = numberSigns(numbers)
  const whole = new Intl.NumberFormat(numbers)
  const dateFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dates, { timeZone: 'UTC', ...options })
  const day = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
  const dayOfYear = dateFormat({ day: 'numeric', month: 'short' })
  const month = dateFormat({ month: 'short' })
  const timeOfDay = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  const minute = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', ...timeOfDay })
  const second = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', second: '2-digit', ...timeOfDay })
  const clock = dateFormat({ second: '2-digit', ...timeOfDay })
  const apart = new Intl.RelativeTimeFormat(dates)
  const now = new Intl.RelativeTimeFormat(dates, { numeric: 'auto' }).format(0, 'second')
  const units = durationUnits.map(({ unit, seconds }) => ({
    unit,
    seconds,
    format: new Intl.NumberFormat(dates, { style: 'unit', unit, unitDisplay: 'narrow' }),
    long: new Intl.NumberFormat(dates, { style: 'unit', unit, unitDisplay: 'long' }),
  }))
  const together = new Intl.ListFormat(dates, { type: 'unit', style: 'narrow' })
  const listed = new Intl.ListFormat(dates)

  /** Formats an amount with all its decimal digits, but at least `min` and at most `max`. Further digits are cut off. */
  function write(value: bigint, decimals: number, { min = 0, max = decimals } = {}): string {
    const digits = value.toString().padStart(decimals + 1, '0')
    const fraction = digits
      .slice(digits.length - decimals)
      .slice(0, max)
      .replace(/0+$/, '')
      .padEnd(min, '0')
    const shown = whole.format(BigInt(digits.slice(0, digits.length - decimals)))
    // `Intl` bounds the digits after the decimal sign; a token does not.
    return decimals === 0 || fraction === '' ? shown : `${shown}${signs[0].decimal}${inDigits(fraction, signs[0])}`
  }

  /**
   * Formats raw units for display, without the symbol: whole tokens from a million up, and at most two decimal digits below.
   * Further digits are cut off, never rounded up. A positive amount below the smallest shown digit has all its digits.
   */
  function amount(value: bigint, { decimals }: Decimals): string {
    const { one, step, digits } = scaleOf(decimals)
    if (value >= 1_000_000n * one) return write(value, decimals, { max: 0 })
    if (value > 0n && value < step) return write(value, decimals)
    return write(value, decimals, { min: value % one < step ? 0 : digits, max: digits })
  }

  /** {@link amount} of something that has to be paid: rounded up, so that nobody pays more than was shown. */
  function cost(value: bigint, token: Decimals): string {
    const { one, step } = scaleOf(token.decimals)
    const shown = value >= 1_000_000n * one ? one : value < step ? 1n : step
    return amount(((value + shown - 1n) / shown) * shown, token)
  }

  /** An estimated amount with three significant digits, without its symbol. Raw units. */
  function estimate(value: bigint, token: Decimals): string {
    const step = 10n ** BigInt(Math.max(0, value.toString().length - 3))
    return amount(((value + step / 2n) / step) * step, token)
  }

  /** An amount with all of its digits, without its symbol. Raw units. */
  function exact(value: bigint, { decimals }: Decimals): string {
    return write(value, decimals)
  }

  /** {@link exact}, as `parseAmount` reads it: one digit more where three could also be thousands. */
  function input(value: bigint, { decimals }: Decimals): string {
    const one = 10n ** BigInt(decimals)
    const fraction = (value % one).toString().padStart(decimals, '0').replace(/0+$/, '')
    return write(value, decimals, { min: value >= one && value < 1_000n * one && fraction.length === 3 ? 4 : 0 })
  }

  const percentFormats = [0, 1, 2].map(
    (fractionDigits) =>
      new Intl.NumberFormat(numbers, {
        style: 'percent',
        minimumFractionDigits: fractionDigits,
        maximumFractionDigits: fractionDigits,
      }),
  )

  /**
   * A rate in percent, not negative. One that would round to zero is less than the smallest step, one above a million percent
   * more than that.
   */
  function rate(percent: number, fractionDigits: 0 | 1 | 2 = 2): string {
    const show = (text: string) => percentFormats[fractionDigits]?.format(hundredth(text)) ?? ''
    if (percent > 1_000_000) return `>${percentFormats[0]?.format(10_000)}`
    const text = percent.toFixed(fractionDigits)
    if (percent > 0 && Number(text) === 0) return `<${show((10 ** -fractionDigits).toFixed(fractionDigits))}`
    return show(text)
  }

  /**
   * A length of time in seconds, as `1d 2h`: so many neighbouring units as are asked for, from the largest that is not
   * zero; the rest is cut off, so that a countdown never shows more than is left.
   */
  function duration(seconds: number, count = 2): string {
    let rest = Math.max(0, Math.floor(seconds))
    const largest = units.findIndex((unit) => rest >= unit.seconds)
    const parts: string[] = []
    for (const { seconds: size, format } of largest === -1 ? units.slice(-1) : units.slice(largest, largest + count)) {
      const many = Math.floor(rest / size)
      rest -= many * size
      if (many > 0 || largest === -1) parts.push(format.format(many))
    }
    return together.format(parts)
  }

  /** A length of time in seconds within a sentence: its largest unit in words, the rest cut off. */
  function time(seconds: number): string {
    const rest = Math.max(0, Math.floor(seconds))
    const unit = units.find((known) => rest >= known.seconds) ?? units.at(-1)
    return unit ? unit.long.format(Math.floor(rest / unit.seconds)) : ''
  }

  /** How long ago something was, or how soon it is, in words. Unix milliseconds. */
  function relative(at: number, from: number): string {
    const seconds = Math.floor(Math.abs(at - from) / 1000)
    const unit = units.find((known) => seconds >= known.seconds)
    if (!unit) return now
    const many = Math.floor(seconds / unit.seconds)
    return apart.format(at > from ? many : -many, unit.unit)
  }

  return {
    /** How numbers are written and read. */
    signs,
    amount,
    cost,
    estimate,
    exact,
    input,
    rate,
    duration,
    time,
    relative,
    /** Several names as one text. */
    list: (names: readonly string[]) => listed.format(names),
    /** A day in UTC, which no line breaks. Unix seconds. */
    day: (at: number) => day.format(at * 1000).replaceAll(' ', '\u00a0'),
    /** A day in UTC without its year. Unix seconds. */
    dayOfYear: (at: number) => dayOfYear.format(at * 1000),
    /** A month in UTC without its year. Unix seconds. */
    month: (at: number) => month.format(at * 1000),
    /** An instant in UTC, to the minute. Unix seconds. */
    minute: (at: number | bigint) => minute.format(Number(at) * 1000),
    /** An instant in UTC, to the second. Unix seconds. */
    second: (at: number | bigint) => second.format(Number(at) * 1000),
    /** A time of the day in UTC. Unix seconds. */
    clock: (at: number) => clock.format(at * 1000),
    /** A share in whole percent, rounded down. */
    share: (part: bigint, of: bigint) => percentFormats[0]?.format(hundredth(((part * 100n) / of).toString())) ?? '',
    /** A count with all its digits. */
    count: (many: number | bigint) => whole.format(many),
    withSymbol: (written: string, { symbol }: Pick<Token, 'symbol'>) => `${written} ${symbol}`,
    address: (address: string) => formatAddress(address),
    poolId: (poolId: string) => formatPoolId(poolId),
  }
}

const durationUnits = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const

function scaleOf(decimals: number): { one: bigint; step: bigint; digits: number } {
  const digits = Math.min(2, decimals)
  return { one: 10n ** BigInt(decimals), step: 10n ** BigInt(decimals - digits), digits }
}

/** A hundredth of a number, as text for `Intl`, which avoids rounding. */
function hundredth(text: string): Intl.StringNumericLiteral {
  return `${text}E-2` as Intl.StringNumericLiteral
}

function inDigits(text: string, { digits }: NumberSigns): string {
  return text.replace(/[0-9]/g, (digit) => digits[Number(digit)] ?? digit)
}
