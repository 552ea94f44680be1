/** Not built yet. */
export function AcceptanceView({ hash }: { rfqId?: string; hash: string }) {
  return <h1>Quote {hash}</h1>
}
