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
