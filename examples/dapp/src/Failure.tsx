/** What has failed, in a sentence. The first line of an error of the SDK or of viem is its `shortMessage`. */
export function Failure({ error }: { error: Error | null }) {
  if (!error) return null
  return <p role="alert">{'shortMessage' in error ? String(error.shortMessage) : error.message}</p>
}
