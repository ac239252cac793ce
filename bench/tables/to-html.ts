import { capital, type MadeTable, phrase, pick, prose, type Random } from './made-table.ts'

/** Returns a page with the table as HTML, which an office program prints. */
export function toHtml(random: Random, table: MadeTable): string {
  const size = pick(random, [8, 9, 10, 11])
  const font = pick(random, ['Liberation Serif', 'Liberation Sans', 'DejaVu Sans'])
  const lines = pick(random, [
    'border="1"',
    'border="1"',
    'border="0"',
    'border="1" frame="hsides" rules="rows"',
    'border="0" rules="none"',
  ])
  const width = pick(random, ['100%', '100%', '80%'])
  const padding = pick(random, [1, 3, 5])
  const shade = random() < 0.3
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const cells: string[] = []
    for (let col = 0; col < table.columns; col++) {
      const cell = table.cells.find((one) => one.row === row && one.col === col)
      const tag = row < table.headRows ? 'th' : 'td'
      const color = shade && row % 2 === 1 ? ' bgcolor="#e8eef4"' : ''
      if (!cell) cells.push(`<${tag}${color}></${tag}>`)
      else {
        const span = cell.col_end - cell.col + 1
        cells.push(`<${tag}${color} align="${cell.align}" colspan="${span}">${cell.text}</${tag}>`)
        col = cell.col_end
      }
    }
    return `<tr>${cells.join('')}</tr>`
  })
  const head = rows.slice(0, table.headRows).join('')
  const body = rows.slice(table.headRows).join('')
  return `<html><head><meta charset="utf-8"><style>@page{size:A4;margin:2cm} body,td,th,p{font-family:'${font}';font-size:${size}pt}</style></head><body><h1>${capital(phrase(random, 2, 4))}</h1><p>${prose(random, 60)}</p><table ${lines} width="${width}" cellspacing="0" cellpadding="${padding}"><thead>${head}</thead><tbody>${body}</tbody></table><p>${prose(random, 50)}</p></body></html>`
}
