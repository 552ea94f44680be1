import { rounds, seed } from '@firmquote/test-support/trial'
import { testSyncHistories } from '../../../test/testSyncHistories.ts'

testSyncHistories({ count: 200 * rounds, seed })
