import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { drawnBugs } from './drawnBugs.ts'
import { plantedBugs } from './planted.ts'
import { plantedText } from './runPlanted.ts'

describe('planted bugs', () => {
  test('default: the place of each is in the sources once', () => {
    const all = [...plantedBugs, ...drawnBugs]
    for (const bug of all) {
      const file = fileURLToPath(new URL(`../../../${bug.file}`, import.meta.url))
      expect(plantedText(readFileSync(file, 'utf8'), bug)).not.toBe(readFileSync(file, 'utf8'))
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })
})
