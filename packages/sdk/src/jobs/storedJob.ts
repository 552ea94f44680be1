import type { Job } from './job.ts'

/** Fields whose values are bigints, which JSON lacks. */
const amounts = new Set(['notional', 'limit', 'cost', 'positionId', 'block', 'since', 'allowance'])

/** Encodes a job as text. It contains no signatures. */
export function encodeJob(job: Job): string {
  return JSON.stringify(job, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

/** Decodes a job. Returns null if the text is of another version or damaged. */
export function decodeJob(text: string | null): Job | null {
  try {
    const job = JSON.parse(text ?? 'null', (key, value: unknown) =>
      amounts.has(key) && typeof value === 'string' ? BigInt(value) : value,
    ) as Job | null
    return job?.version === 1 ? job : null
  } catch {
    return null
  }
}
