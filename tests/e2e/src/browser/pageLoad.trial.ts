import { rounds } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { measureLoad } from './measurePage.ts'

// Measures load times and the response to input on a cheap phone with a slow mobile network. Each round opens the view
// in a new profile. Takes the median of at least three loads, since other work on the machine may slow one down.

const repeats = Math.max(3, rounds)
const bounds = { largestPaintMs: 1_500, layoutShift: 0.02, interactionMs: 160, scriptBytes: 170_000 }
const measures = Object.keys(bounds) as (keyof typeof bounds)[]

const openMenu = (page: Page) => page.getByRole('button', { name: 'Menu' }).tap()
const chooseTerm = (page: Page) => page.locator('fieldset label').last().tap()
async function typeAmount(page: Page): Promise<void> {
  const amount = page.getByRole('textbox').first()
  await amount.tap()
  await amount.press('End')
  await page.keyboard.type('0', { delay: 100 })
}

describeInDemo(
  'the first load on a slow phone',
  {},
  ({ browser, demo }) => {
    test.each<[name: string, path: string, inputs: readonly ((page: Page) => Promise<void>)[]]>([
      ['home', '/', [typeAmount, chooseTerm]],
      ['markets', '/#/markets', [typeAmount]],
      ['curve', '/#/curve', [typeAmount, chooseTerm]],
      ['history', '/#/history', []],
      ['how', '/#/how', []],
      ['positions', '/#/positions', []],
      ['contracts', '/#/contracts', []],
      ['status', '/#/status', []],
      ['proofs', '/#/proofs', []],
    ])(
      'default: %s',
      async (name, path, inputs) => {
        const interact = async (page: Page) => {
          for (const input of [...inputs, openMenu]) await input(page)
        }
        const loads: Awaited<ReturnType<typeof measureLoad>>[] = []
        for (let round = 0; round < repeats; round += 1) {
          loads.push(await measureLoad(browser(), demo().url + path, interact))
        }
        const median = (measure: keyof typeof bounds) =>
          loads.map((load) => load[measure]).toSorted((a, b) => a - b)[Math.floor(repeats / 2)] ?? Number.NaN
        const middle = Object.fromEntries(measures.map((measure) => [measure, median(measure)]))
        process.stdout.write(`${name}: ${JSON.stringify(middle)}, requests ${loads[0]?.requests}\n`)
        expect(middle['largestPaintMs']).toBeGreaterThan(0)
        expect(middle['interactionMs']).toBeGreaterThan(0)
        expect(middle['scriptBytes']).toBeGreaterThan(0)
        for (const measure of measures) {
          expect({
            measure,
            isWithin: (middle[measure] ?? Number.NaN) <= bounds[measure],
            value: middle[measure],
          }).toEqual({
            ...{ measure, isWithin: true, value: middle[measure] },
          })
        }
      },
      60_000 + repeats * 30_000,
    )
  },
  'built',
)
