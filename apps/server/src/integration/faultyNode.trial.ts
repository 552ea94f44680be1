import { rounds, seed } from '@firmquote/test-support/trial'
import { testFaultyNode } from '../../test/testFaultyNode.ts'

testFaultyNode({ count: 2_000 * rounds, seed })
