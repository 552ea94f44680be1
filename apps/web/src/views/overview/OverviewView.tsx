/** Not built yet. */
export function OverviewView() {
  return <h1>Overview</h1>
}
