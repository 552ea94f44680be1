// Attacks from a website that a demo visitor opens in the same browser, and from an attacker's host name that resolves
// to this machine. Both try to send transactions from the demo's account and to make calls that control the chain. The
// attack requires only one page view.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { devnetAddresses } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import { type Address, numberToHex } from 'viem'
import { describeInDemo } from '../browser/describeInBrowser.ts'
import { foreignHost } from '../browser/openPage.ts'

const attacker: Address = '0x000000000000000000000000000000000000bad1'

describeInDemo('a foreign page', {}, ({ browser, demo: demoOf }) => {
  test("behavior: the demo's state does not change", async () => {
    const demo = demoOf()
    const { chain } = demo
    const [account = attacker] = await relayAccounts(demo.url)
    expect(account).not.toBe(attacker)
    const read = async () => ({
      coins: await chain.getBalance({ address: attacker }),
      tokens: await demo.balanceOf(attacker),
      sent: await chain.getTransactionCount({ address: account }),
    })
    const before = await read()
    const send = { from: account, to: attacker, value: numberToHex(10n ** 18n) }
    const calls = [
      { method: 'eth_sendTransaction', params: [send] },
      { method: 'anvil_setBalance', params: [attacker, numberToHex(10n ** 18n)] },
      { method: 'anvil_dealERC20', params: [attacker, devnetAddresses.loanToken, numberToHex(10n ** 12n)] },
    ].map((call, id) => JSON.stringify({ jsonrpc: '2.0', id, ...call }))
    const targets = [`${demo.url}/devnet/rpc`, demo.rpcUrl, demo.rpcUrl.replace('127.0.0.1', 'localhost')]

    // A page can send simple requests, such as form submissions, without a preflight. Other requests need one.
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>x</title>'))
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    const address = site.address()
    const page = await browser().newPage()
    await page.goto(`http://${foreignHost}:${typeof address === 'object' ? address?.port : 0}/`)
    const outcomes = await page.evaluate(
      async ({ urls, bodies }) => {
        const read: string[] = []
        for (const url of urls) {
          for (const body of bodies) {
            for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
              await fetch(url, { method: 'POST', mode: 'no-cors', headers: { 'content-type': type }, body }).catch(
                () => {},
              )
              const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).catch(
                () => null,
              )
              if (answer) read.push(`${url} ${answer.status} ${await answer.text()}`)
            }
          }
        }
        return read
      },
      { urls: targets, bodies: calls },
    )
    // WebSockets do not require a preflight from any origin.
    const sockets = await page.evaluate(
      ({ urls, bodies }) =>
        Promise.all(
          urls.map(
            (url) =>
              new Promise<string>((resolve) => {
                const socket = new WebSocket(url.replace('http', 'ws'))
                let answers = 0
                socket.onopen = () => {
                  for (const body of bodies) socket.send(body)
                }
                socket.onmessage = () => {
                  answers += 1
                  if (answers === bodies.length) resolve('answered')
                }
                socket.onclose = () => resolve('closed')
              }),
          ),
        ),
      { urls: targets, bodies: calls },
    )
    await page.close()
    site.close()
    expect(sockets).toEqual(targets.map(() => 'closed'))
    // The API allows every origin but rejects these requests.
    for (const outcome of outcomes) expect(outcome).not.toMatch(/"result"/)

    // In a DNS rebinding attack, the browser sends the attacker's host name with a matching origin.
    for (const target of [`${demo.url}/devnet/rpc`, `${demo.rpcUrl}/`]) {
      const { port } = new URL(target)
      for (const body of calls) {
        const { status, text } = await post(target, body, {
          host: `evil.example:${port}`,
          origin: `http://evil.example:${port}`,
        })
        expect(status).toBeGreaterThanOrEqual(400)
        expect(text).not.toMatch(/"result"/)
      }
    }
    expect(await read()).toEqual(before)
  })
})

/** Requests the accounts, as the demo's web app does. */
async function relayAccounts(url: string): Promise<Address[]> {
  const { host, origin } = new URL(url)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] })
  const { text } = await post(`${url}/devnet/rpc`, body, { host, origin })
  return (JSON.parse(text) as { result: Address[] }).result
}

async function post(url: string, body: string, headers: Record<string, string>) {
  const { port, pathname } = new URL(url)
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: pathname,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode as number, text }
}
