/** Not built yet. */
export function HistoryView() {
  return <h1>History</h1>
}
