import type { CollectedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import type { RFQAuctionEvent } from '@firmquote/sdk'
import type { Context } from './context.ts'
import { describeQuote, describeRfq, type LadderState, renderLadder, renderRanking } from './format/ladder.ts'
import type { Token } from './format/show.ts'

/** Displays a running auction. */
export type AuctionView = {
  show(event: RFQAuctionEvent): void
  /** Restores the terminal, even after an error. */
  end(): void
}

const redrawMs = 100
const plainWidth = 200

/**
 * Creates a view: a ladder redrawn in place on a terminal, plain lines elsewhere, or JSON lines with `json`.
 */
export function createAuctionView(context: Context, json: boolean | undefined, token: Token): AuctionView {
  if (json) return { show: ({ type, data }) => context.write(`${encodeJson({ type, data })}\n`), end: () => {} }
  const { live, style, write } = context
  const quotes: CollectedQuote[] = []
  let state: LadderState | undefined
  let serverNow = () => 0
  let timer: NodeJS.Timeout | undefined

  const redraw = () => {
    if (state && live) live.draw(renderLadder({ ...state, now: serverNow() }, live.width(), style))
  }
  const end = () => {
    clearInterval(timer)
    if (state) live?.keep()
    state = undefined
  }
  const note = (text: string) => {
    if (!live) write(`${text}\n`)
  }

  return {
    show(event) {
      if (event.type === 'started') {
        serverNow = createServerClock(event.data.openedAt)
        state = { rfq: event.data, token, quotes, now: serverNow(), rejectedCount: null }
        if (live) timer = setInterval(redraw, redrawMs)
        note(describeRfq(state))
      }
      if (event.type === 'quote') {
        quotes.push(event.data)
        note(describeQuote(event.data, token, serverNow()))
      }
      if (event.type === 'progress' && state) state.progress = event.data
      if (event.type === 'done' && state) {
        state.rejectedCount = event.data.rejectedCount
        state.interrupted = event.data.interrupted === true
        note(renderRanking({ ...state, now: serverNow() }, plainWidth, style))
      }
      redraw()
      if (event.type === 'done') end()
    },
    end,
  }
}

/** Extrapolates the service's clock from its first message, because the local clock may be wrong or jump. */
function createServerClock(openedAt: number): () => number {
  const start = performance.now()
  return () => openedAt + performance.now() - start
}
