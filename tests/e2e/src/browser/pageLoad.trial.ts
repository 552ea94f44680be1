import { rounds } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import { describeInDemo } from './describeInBrowser.ts'
import { measureLoad } from './measurePage.ts'

// Measures load times on a cheap phone with a slow mobile network. Each round opens the view in a new profile. Takes
// the median of at least three loads, since other work on the machine may slow one down.

const repeats = Math.max(3, rounds)
const bounds = { largestPaintMs: 1_500, layoutShift: 0.05, scriptBytes: 220_000 }

describeInDemo(
  'the first load on a slow phone',
  {},
  ({ browser, demo }) => {
    test.each([
      ['home', '/'],
      ['auction', '/#/auction'],
      ['how', '/#/how'],
      ['positions', '/#/positions'],
    ])(
      'default: %s',
      async (name, path) => {
        const loads = []
        for (let round = 0; round < repeats; round += 1) loads.push(await measureLoad(browser(), demo().url + path))
        const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(repeats / 2)] ?? Number.NaN
        const middle = {
          largestPaintMs: median(loads.map((load) => load.largestPaintMs)),
          layoutShift: median(loads.map((load) => load.layoutShift)),
          scriptBytes: median(loads.map((load) => load.scriptBytes)),
        }
        process.stdout.write(
          `${name}: largest paint ${Math.round(middle.largestPaintMs)} ms (${loads.map((load) => Math.round(load.largestPaintMs)).join(', ')}), ` +
            `layout shift ${middle.layoutShift.toFixed(3)}, scripts ${middle.scriptBytes} bytes, requests ${loads[0]?.requests}\n`,
        )
        expect(middle.largestPaintMs).toBeGreaterThan(0)
        expect(middle.scriptBytes).toBeGreaterThan(0)
        expect(middle.largestPaintMs).toBeLessThanOrEqual(bounds.largestPaintMs)
        expect(middle.layoutShift).toBeLessThanOrEqual(bounds.layoutShift)
        expect(middle.scriptBytes).toBeLessThanOrEqual(bounds.scriptBytes)
      },
      60_000 + repeats * 30_000,
    )
  },
  'built',
)
