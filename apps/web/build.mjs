// A page in the form that the server expects of a build: an index, hashed assets, a favicon.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

const dist = new URL('dist/', import.meta.url)
rmSync(dist, { recursive: true, force: true })
mkdirSync(new URL('assets/', dist), { recursive: true })
const write = (name, text) => writeFileSync(new URL(name, dist), text)

write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>\n')
write('assets/index-00000000.css', 'body { font-family: sans-serif }\n')
write('assets/index-00000000.js', "document.body.append('Firmquote')\n")
write(
  'index.html',
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="firmquote:devnet-rpc" content="">
<meta name="firmquote:demo-account" content="">
<title>Firmquote</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/assets/index-00000000.css">
<script type="module" src="/assets/index-00000000.js"></script>
</head>
<body></body>
</html>
`,
)
