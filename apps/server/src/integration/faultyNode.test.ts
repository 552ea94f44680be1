import { testFaultyNode } from '../../test/testFaultyNode.ts'

// `faultyNode.trial.ts` plays more.
testFaultyNode({ count: 400, seed: 20_261_121 })
