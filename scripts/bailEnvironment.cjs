const { TestEnvironment } = require('jest-environment-node')

/** The mutation that a test has noticed: the tests after that one are left out, since one is enough. */
let noticed

/** Jest cannot stop at the first failure when Stryker runs it; this environment skips what comes after it. */
module.exports = class BailEnvironment extends TestEnvironment {
  async handleTestEvent(event) {
    // biome-ignore lint/suspicious/noUndeclaredEnvVars: Stryker sets it itself, no task of turbo depends on it.
    const mutation = process.env.__STRYKER_ACTIVE_MUTANT__
    if (mutation === undefined) return
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutation
    if (noticed !== mutation) return
    if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip'
    if (event.name === 'test_start') event.test.mode = 'skip'
  }
}
