import { expect, test } from '@jest/globals'
import { freePort } from './freePort.ts'

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('behavior: returns no port twice, even if nothing listens on it yet', async () => {
  const ports = new Set<number>()
  for (let count = 0; count < 1_000; count += 1) ports.add(await freePort())
  expect(ports.size).toBe(1_000)
})
