import type { Growth } from './row.ts'

const panel = { width: 430, height: 340, left: 64, right: 22, bottom: 58 }
const legendLine = 20
// Distinguishable with colour blindness, and by shape (`dash`) in black and white.
const strokes = [
  { colour: '#0072b2', dash: '' },
  { colour: '#d55e00', dash: '7 4' },
  { colour: '#007a5a', dash: '2 4' },
  { colour: '#9b4f80', dash: '10 3 2 3' },
]

/**
 * Draws how costs grow as one SVG: a panel for each thing that grows, its size on a logarithmic axis, the cost from
 * zero, the spread as whiskers. It brings its own background, so it can be read on a dark page as well.
 *
 * @param growths at least one.
 */
export function drawGrowth(growths: readonly Growth[]): string {
  const panels = [...new Set(growths.map(({ over }) => over))].map((over) => growths.filter((one) => one.over === over))
  const top = 40 + legendLine * Math.max(...panels.map(({ length }) => length))
  const [width, height] = [panels.length * panel.width, top - 40 + panel.height]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12" fill="#24292f">
<title>Cost against growth, in microseconds</title>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>
${panels.map((one, index) => `<g transform="translate(${index * panel.width} 0)">\n${drawPanel(one, top, height)}</g>`).join('\n')}
</svg>
`
}

function drawPanel(growths: readonly Growth[], top: number, height: number): string {
  const sizes = growths.flatMap(({ points }) => points.map(({ size }) => size))
  const [first, last] = [Math.floor(Math.log10(Math.min(...sizes))), Math.ceil(Math.log10(Math.max(...sizes)))]
  const { step, end } = niceScale(Math.max(...growths.flatMap(({ points }) => points.map(({ cost }) => cost.high))))
  const [right, bottom] = [panel.width - panel.right, height - panel.bottom]
  const x = (size: number) =>
    panel.left + 12 + ((Math.log10(size) - first) / (last - first || 1)) * (right - panel.left - 24)
  const y = (cost: number) => bottom - (cost / end) * (bottom - top)

  const parts: string[] = []
  for (let tick = 0; tick <= end + step / 2; tick += step) {
    parts.push(`<path d="M${panel.left} ${fixed(y(tick))}H${right}" stroke="${tick === 0 ? '#57606a' : '#e3e7eb'}"/>`)
    parts.push(text(panel.left - 8, y(tick) + 4, formatNumber(tick), 'text-anchor="end"'))
  }
  for (let power = first; power <= last; power += 1) {
    parts.push(`<path d="M${fixed(x(10 ** power))} ${bottom}v5" stroke="#57606a"/>`)
    parts.push(text(x(10 ** power), bottom + 20, formatNumber(10 ** power), 'text-anchor="middle"'))
  }
  const middle = (panel.left + right) / 2
  parts.push(text(middle, bottom + 43, growths[0]?.over ?? '', 'text-anchor="middle" font-weight="600"'))
  const [axisX, axisY] = [18, (top + bottom) / 2]
  parts.push(
    text(axisX, axisY, 'cost, µs', `text-anchor="middle" font-weight="600" transform="rotate(-90 ${axisX} ${axisY})"`),
  )

  for (const [index, { name, points }] of growths.entries()) {
    const { colour, dash } = strokes[index % strokes.length] ?? { colour: '#24292f', dash: '' }
    const stroke = `stroke="${colour}" stroke-width="2" fill="none"`
    const legendY = 26 + index * legendLine
    const line = points.map(({ size, cost }) => `${fixed(x(size))} ${fixed(y(cost.median))}`).join('L')
    parts.push(`<path d="M${panel.left} ${legendY - 4}h26" ${stroke} stroke-dasharray="${dash}"/>`)
    parts.push(text(panel.left + 34, legendY, name))
    parts.push(`<path d="M${line}" ${stroke} stroke-dasharray="${dash}"/>`)
    for (const { size, cost } of points) {
      const [at, low, high] = [fixed(x(size)), fixed(y(cost.low)), fixed(y(cost.high))]
      parts.push(
        `<path d="M${at} ${low}V${high}m-4 0h8M${fixed(x(size) - 4)} ${low}h8" stroke="${colour}" fill="none"/>`,
      )
      parts.push(`<circle cx="${at}" cy="${fixed(y(cost.median))}" r="3.5" fill="${colour}"/>`)
    }
  }
  return `${parts.join('\n')}\n`
}

/** Steps of 1, 2 or 5 times a power of ten, four to eight of them up to the largest cost. */
function niceScale(largest: number): { step: number; end: number } {
  const rough = (largest || 1) / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => power * factor >= rough) ?? 10)
  return { step, end: Math.ceil((largest || 1) / step) * step }
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escaped}</text>`
}

function formatNumber(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 })
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10)
}
