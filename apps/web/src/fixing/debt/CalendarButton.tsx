import { type Pool, serverNow, useService } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { positionHref } from '../../routes.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/saveFile.ts'
import { calendarEntry } from './calendar.ts'

/** Saves a position's settlement date to a calendar file. */
export function CalendarButton(props: {
  position: Pick<FixedPosition, 'positionId' | 'notional' | 'expiry'>
  pool: Pool
}) {
  const { position, pool } = props
  const { chainId, contracts } = useService().config
  const { formats } = useWords()
  const { calendar } = usePositionsTexts()
  const { positionId, notional, expiry } = position
  const id = positionId.toString()
  const save = () => {
    const amount = formats.withSymbol(formats.amount(notional, pool.loanToken), pool.loanToken)
    const text = calendarEntry({
      uid: `${id}.${chainId}.${contracts.interestRatePool.toLowerCase()}@firmquote`,
      stamp: Math.floor(serverNow() / 1000),
      at: expiry,
      title: calendar.title(amount),
      description: calendar.description(id, formats.minute(expiry)),
      url: new URL(positionHref(positionId), location.href).href,
    })
    saveFile(`firmquote-position-${id}.ics`, { text, type: 'text/calendar' })
  }
  return <Button onClick={save}>{calendar.add}</Button>
}
