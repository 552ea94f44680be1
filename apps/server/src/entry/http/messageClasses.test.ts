import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import express from 'express'
import { messageClassesOf } from './messageClasses.ts'

test('default: Express finds its prototypes, and its requests and responses work as usual', async () => {
  const app = express()
  let untouched = false
  const server = createServer(messageClassesOf(app), (req, res) => {
    const before = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)]
    app(req, res)
    untouched = before[0] === Object.getPrototypeOf(req) && before[1] === Object.getPrototypeOf(res)
  })
  app.get('/', (req, res) => {
    res.status(201).json({ app: req.app === app && res.app === app, host: req.hostname, ip: req.ip })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(response.status).toBe(201)
  expect(await response.json()).toEqual({ app: true, host: '127.0.0.1', ip: '127.0.0.1' })
  expect(untouched).toBe(true)
  server.closeAllConnections()
  server.close()
})
