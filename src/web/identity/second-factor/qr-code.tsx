import encodeQr from 'qr'

/** A QR code, drawn here: what it holds goes nowhere. Always dark on light, as cameras want it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQr(text, 'raw', { border: 2 })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      width="176"
      height="176"
      style={{ background: 'white', borderRadius: 8 }}
    >
      <path d={path} fill="black" />
    </svg>
  )
}
