const WIDTH = 960
const HEIGHT = 540
const MARGIN = 80
/** Sample data. */
const orders = [12, 18, 15, 27, 31, 24]

/** Draws a bar chart as a PNG file, which every model with vision can describe. */
export async function drawSampleChart(title: string, fileName: string, language: string): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures.')
  draw(context, title, new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }))
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('The picture could not be created.')
  return new File([blob], fileName, { type: 'image/png' })
}

function draw(context: CanvasRenderingContext2D, title: string, month: Intl.DateTimeFormat): void {
  context.fillStyle = 'white'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = 'black'
  context.font = '600 32px sans-serif'
  context.fillText(title, MARGIN, MARGIN)
  context.font = '24px sans-serif'
  context.textAlign = 'center'
  const step = (WIDTH - 2 * MARGIN) / orders.length
  const unit = (HEIGHT - 3 * MARGIN) / Math.max(...orders)
  for (const [at, count] of orders.entries()) {
    const middle = MARGIN + step * (at + 0.5)
    const top = HEIGHT - MARGIN - count * unit
    context.fillStyle = 'royalblue'
    context.fillRect(middle - step * 0.3, top, step * 0.6, count * unit)
    context.fillStyle = 'black'
    context.fillText(String(count), middle, top - 10)
    context.fillText(month.format(new Date(Date.UTC(2026, at, 1))), middle, HEIGHT - MARGIN + 36)
  }
}
