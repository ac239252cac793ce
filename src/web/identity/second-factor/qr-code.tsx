import encodeQr from 'qr'

/** QR code, generated in the browser so that its secret is never sent. Always dark on light, for cameras. */
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
