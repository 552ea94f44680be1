/** Shows an error in one sentence. The first line of an SDK or viem error is its `shortMessage`. */
export function Failure({ error }: { error: Error | null }) {
  if (!error) return null
  return <p role="alert">{'shortMessage' in error ? String(error.shortMessage) : error.message}</p>
}
