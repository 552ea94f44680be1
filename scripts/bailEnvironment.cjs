const { TestEnvironment } = require('jest-environment-node')

/** The mutation that a test has noticed: the tests after that one are left out, since one is enough. */
let noticed

/**
 * Jest cannot stop at the first failure when Stryker runs it; this environment skips what comes after it: the rest of the
 * file, and later files whole, with what they would start before their tests.
 */
module.exports = class BailEnvironment extends TestEnvironment {
  async handleTestEvent(event, state) {
    // biome-ignore lint/suspicious/noUndeclaredEnvVars: Stryker sets it itself, no task of turbo depends on it.
    const mutation = process.env.__STRYKER_ACTIVE_MUTANT__
    if (mutation === undefined) return
    if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutation
    if (noticed !== mutation) return
    if (event.name === 'run_start') skipAll(state.rootDescribeBlock)
    if (event.name === 'test_start') event.test.mode = 'skip'
  }
}

function skipAll({ children }) {
  for (const child of children) {
    child.mode = 'skip'
    if (child.type === 'describeBlock') skipAll(child)
  }
}
