import { type ClientRequest, request as httpRequest } from 'node:http'

/** Opens an auction from a network, then keeps the connection open or drops it. Returns the code of a rejection. */
export function openFrom(url: string, localAddress: string, body: string, open: Set<ClientRequest>, holds: boolean) {
  return new Promise<string>((resolve) => {
    const headers = { 'content-type': 'application/json' }
    const sent = httpRequest(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      agent: false,
      family: 4,
      localAddress,
      headers,
    })
    open.add(sent)
    sent.on('close', () => {
      open.delete(sent)
      resolve('lost')
    })
    sent.on('error', () => {})
    sent.on('response', (answer) => {
      let text = ''
      answer.on('error', () => {})
      answer.on('data', (part) => {
        text += part
        if (answer.statusCode !== 200 || holds) return
        resolve('opened')
        sent.destroy()
      })
      answer.on('end', () => resolve(answer.statusCode === 200 ? 'opened' : String(JSON.parse(text).code)))
    })
    sent.end(body)
  })
}
