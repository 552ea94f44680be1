export { fillsOf, type JobContracts } from './jobs/fillsOf.ts'
export { isRevert } from './jobs/isRevert.ts'
export {
  type AskedQuote,
  type Attempt,
  createJob,
  type Ended,
  type Fill,
  fixedBy,
  type Job,
  type JobPlan,
  type JobTerms,
  type Phase,
  type Request,
  type RequestKind,
  type StopReason,
} from './jobs/job.ts'
export { type JobTakes, planJobTakes } from './jobs/planJobTakes.ts'
export { readOutcome } from './jobs/readOutcome.ts'
export { type JobExecutor, type JobRunner, type JobSnapshot, runJob, type WalletAnswer } from './jobs/runJob.ts'
export { decodeJob, encodeJob } from './jobs/storedJob.ts'
export {
  type BundleContracts,
  type BundleSignatures,
  type BundleState,
  bundleParameters,
  bundleTypedData,
  canBundle,
  readBundleState,
} from './taking/bundle.ts'
export { type FillWitness, requireReverted } from './taking/requireReverted.ts'
export { readAtomicity, requestCalls, sendCallsParameters, waitForCalls } from './taking/sendCalls.ts'
export { type GivenPermissions, type QuoteToTake, type TakeCall, takeCalls } from './taking/takeCalls.ts'
export { chooseTakeForm, type TakeForm } from './taking/takeForm.ts'
