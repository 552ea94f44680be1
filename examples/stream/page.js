// Shows an auction live. EventSource only supports GET, so the page opens the auction with a POST request and closes
// the response stream after the first event. `GET /rfq/{rfqId}/stream` then streams the same events from the start. If
// the connection is lost, the browser reconnects with the last event's id (`Last-Event-ID`) and receives the events
// that follow.

const api = `${document.querySelector('meta[name=service]').content}/api/v1`
const [form, status, table] = ['form', '[role=status]', 'table'].map((name) => document.querySelector(name))
const [button, rows] = [form.querySelector('button'), table.querySelector('tbody')]
const { series, amount } = form.elements
const mostTries = 10

const show = (text) => {
  status.textContent = text
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

let pools = []
loadPools().catch((error) => show(`The pools cannot be loaded: ${error.message}`))
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  await runAuction().catch((error) => show(error.message))
  button.disabled = false
})

async function loadPools() {
  const response = await fetch(`${api}/pools/rates`)
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  pools = (await response.json()).pools
  pools.forEach(({ poolId, loanToken, series: ofPool }, index) => {
    for (const { expiry } of ofPool) {
      const day = new Date(expiry * 1_000).toISOString().slice(0, 10)
      series.append(new Option(`${loanToken.symbol}, pool ${poolId.slice(0, 6)}, until ${day}`, `${index} ${expiry}`))
    }
  })
  show('')
  button.disabled = false
}

async function runAuction() {
  const [index, expiry] = series.value.split(' ').map(Number)
  const { poolId, loanToken } = pools[index]
  const unit = 10n ** BigInt(loanToken.decimals)
  show('Opening the auction …')
  const rfqId = await openAuction({ poolId, expiry, notional: String(BigInt(amount.value) * unit) })
  const quotes = []
  let asked = ''
  rows.replaceChildren()
  table.hidden = false
  await followAuction(rfqId, {
    started({ backers }) {
      asked = `${backers} makers were asked`
      show(`${asked}, nobody has quoted yet.`)
    },
    quote(quote) {
      quotes.push(quote)
      quotes.sort(comparePrices)
      rows.replaceChildren(...quotes.map((each) => rowOf(each, unit)))
      show(`${asked}, ${quotes.length} have quoted so far.`)
    },
    done({ quoteCount, interrupted }) {
      show(`The auction is over: ${quoteCount} quotes${interrupted ? ', in less than the whole time' : ''}.`)
    },
    lost: () => show('The connection is lost, the auction goes on. Connecting again …'),
  })
}

/** Opens an auction and returns its id. All attempts use the same idempotency key, so only one auction is opened. */
async function openAuction(request) {
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const body = JSON.stringify(request)
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const response = await fetch(`${api}/rfq/quote/stream`, { method: 'POST', headers, body }).catch(() => undefined)
    if (response && !response.ok && response.status !== 503) throw new Error((await response.json()).detail)
    const rfqId = response?.ok && (await readRfqId(response).catch(() => undefined))
    if (rfqId) return rfqId
    await pause(200 * tries)
  }
  throw new Error('The service is unreachable.')
}

/** Reads the id from a stream's first event and cancels the rest. Returns undefined if the stream ends early. */
async function readRfqId({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value
    const [, data] = /^data: (.*)\n\n/m.exec(text) ?? []
    if (data === undefined) continue
    await reader.cancel()
    return JSON.parse(data).rfqId
  }
}

/** Reports each event once, in order, until the auction closes. */
async function followAuction(rfqId, listeners) {
  const seen = new Set()
  // The browser gives up after an HTTP error, such as a proxy's error while the service restarts. A new EventSource
  // starts from the first event.
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const before = seen.size
    const isDone = await new Promise((resolve) => {
      const source = new EventSource(`${api}/rfq/${rfqId}/stream`)
      for (const type of ['started', 'quote', 'done']) {
        source.addEventListener(type, ({ data, lastEventId }) => {
          if (seen.has(lastEventId)) return
          seen.add(lastEventId)
          listeners[type](JSON.parse(data))
          if (type !== 'done') return
          source.close()
          resolve(true)
        })
      }
      source.addEventListener('error', () => {
        listeners.lost()
        if (source.readyState === EventSource.CLOSED) resolve(false)
      })
    })
    if (isDone) return
    if (seen.size > before) tries = 0
    await pause(500)
  }
  throw new Error('Failed to reconnect.')
}

/** Compares two quotes exactly, with integers. The lower rate wins, then the larger size. */
function comparePrices({ quote: one }, { quote: other }) {
  const [left, right] = [BigInt(one.vrtAmount) * BigInt(other.notional), BigInt(other.vrtAmount) * BigInt(one.notional)]
  if (left !== right) return left < right ? -1 : 1
  return Number(BigInt(other.notional) - BigInt(one.notional))
}

function rowOf({ apr, quote }, unit) {
  const row = document.createElement('tr')
  for (const text of [`${apr.toFixed(2)} %`, `${BigInt(quote.notional) / unit}`, quote.maker]) {
    row.insertCell().textContent = text
  }
  return row
}
