import { spawnSync } from 'node:child_process'
import { missingServices, whyMissing } from './missingServices.mjs'

const findPrograms = 'packages/cluster/src/findPrograms.ts'
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']

/** Ends a jest run with the tests that had no PostgreSQL, NATS or proxy, after jest's own summary. */
// biome-ignore lint/style/noDefaultExport: jest takes a reporter from a module's default export.
export default class MissingServicesReporter {
  onRunComplete(_contexts, { testResults }) {
    const pending = testResults.filter(({ numPendingTests }) => numPendingTests > 0)
    const missing = missingServices()
    if (pending.length === 0 || missing.length === 0) return
    // Other tests are skipped for other reasons: only those that look for the services are told of here.
    const { stdout } = spawnSync(process.execPath, [...jest, '--listTests', '--findRelatedTests', findPrograms], {
      encoding: 'utf8',
    })
    const related = new Set(stdout.split('\n'))
    const skipped = pending
      .filter(({ testFilePath }) => related.has(testFilePath))
      .flatMap((file) => file.testResults.filter(({ status }) => status === 'pending'))
    if (skipped.length === 0) return
    const count = skipped.length === 1 ? '1 test was' : `${skipped.length} tests were`
    const names = missing.map(({ name }) => name).join(', ')
    const lines = [
      `No ${names}: ${count} not run, because ${whyMissing()}.`,
      ...skipped.map(({ title, ancestorTitles }) => `  ${[...ancestorTitles, title].join(' › ')}`),
    ]
    // The summary is printed after this.
    process.once('exit', () => process.stderr.write(`\n${lines.join('\n')}\n`))
  }
}
