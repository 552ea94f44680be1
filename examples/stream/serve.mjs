// Serves the page and its script on http://localhost:5180, and inserts the service's URL into the page.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { PORT = '5180', FIRMQUOTE_URL = 'http://localhost:3005' } = process.env
const files = { '/': ['page.html', 'text/html'], '/page.js': ['page.js', 'text/javascript'] }

const server = createServer(async ({ url }, response) => {
  const [name, type] = files[url] ?? []
  if (name === undefined) return response.writeHead(404).end()
  const text = await readFile(new URL(name, import.meta.url), 'utf8')
  response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text.replace('http://localhost:3005', FIRMQUOTE_URL))
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`ready http://localhost:${server.address().port}`))
