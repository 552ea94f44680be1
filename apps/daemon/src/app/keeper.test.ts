import { describeKeepers } from './describeKeepers.testing.ts'

describeKeepers(3)
