/** Not built yet. */
export function CurveView() {
  return <h1>Curve</h1>
}
