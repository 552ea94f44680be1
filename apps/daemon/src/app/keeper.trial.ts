import { describeKeepers } from '../../test/app/describeKeepers.ts'

describeKeepers(20)
