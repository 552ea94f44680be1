import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { rehearseDockerfile } from './rehearseDockerfile.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-rehearsal-'))
  for (const name of ['base', 'context', 'stages']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'base', 'of-the-base'), '')
  writeFileSync(join(folder, 'context', '.dockerignore'), '.dockerignore\n')
  writeFileSync(join(folder, 'context', 'file'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

function rehearse(...steps: string[]) {
  const dockerfile = join(folder, 'Dockerfile')
  writeFileSync(dockerfile, steps.join('\n'))
  const [base, context, stages] = ['base', 'context', 'stages'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  return rehearseDockerfile({ dockerfile, context, base, folder: stages })
}

test('default: what the last stage is started with', () => {
  const first = ['FROM image:1 AS build', 'ENV LEFT=behind']
  const copied = ['FROM image:1', 'WORKDIR /work', 'COPY . .', 'ENV A=1 B=x', 'ENV PATH=/own:$PATH']
  const told = ['VOLUME /data', 'USER 1000:1000', 'STOPSIGNAL SIGINT', 'HEALTHCHECK --interval=1s CMD ["is", "well"]']
  const image = rehearse(...first, ...copied, ...told, 'ENTRYPOINT ["program"]')
  expect(image).toMatchObject({
    workdir: '/work',
    user: '1000:1000',
    volumes: ['/data'],
    stopSignal: 'SIGINT',
    healthcheck: ['is', 'well'],
    entrypoint: ['program'],
  })
  expect(image.environment).toMatchObject({ A: '1', B: 'x', PATH: expect.stringMatching(/^\/own:\/usr\/local\/sbin:/) })
  expect(image.environment).not.toHaveProperty('LEFT')
  expect(readdirSync(image.folder).sort()).toEqual(['of-the-base', 'work'])
  expect(readdirSync(join(image.folder, 'work'))).toEqual(['file'])
})

test.each([
  ['ADD . .', /^ADD: the rehearsal does not know it/],
  ['RUN --mount=type=cache,target=/x true', /^RUN mount=/],
  ['COPY a b c', /^COPY a b c: /],
  ['COPY --from=elsewhere /a /b', /^COPY from=elsewhere: /],
])('error: %s is not passed over', (step, message) => {
  expect(() => rehearse('FROM image:1', step)).toThrow(message)
})
