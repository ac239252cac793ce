import type { Cell } from '../elements/port.ts'
import { childOf, childrenOf, findAll, textOf, type XmlNode } from '../xml/read-xml.ts'

/**
 * Returns a chart by the numbers it caches from its sheet: its title and that of its values, with categories as rows and series
 * as columns.
 */
export function readChart(root: XmlNode | null): { title: string; cells: Cell[] } {
  const titles = ['c:valAx', 'c:serAx'].flatMap((axis) => findAll(root, axis).map(titleOf))
  const title = [titleOf(childOf(root, 'c:chart')), ...titles].filter(Boolean).join(' – ')
  const head = ['c:catAx', 'c:dateAx'].flatMap((axis) => findAll(root, axis).map(titleOf)).join(' ')
  const series = findAll(root, 'c:ser').map((one) => ({
    name: findAll(childOf(one, 'c:tx'), 'c:v').map(textOf).join(' '),
    labels: pointsOf(childOf(one, 'c:cat') ?? childOf(one, 'c:xVal')),
    values: pointsOf(childOf(one, 'c:val') ?? childOf(one, 'c:yVal')),
  }))
  const rows = Math.max(0, ...series.map(({ values, labels }) => Math.max(values.length, labels.length)))
  const labels = series.find((one) => one.labels.length > 0)?.labels ?? []
  const cells: Cell[] = series.map(({ name }, at) => ({ row: 0, column: at + 1, text: name, isHeader: true }))
  if (rows === 0 || rows > 2000) return { title: [title, head.trim()].filter(Boolean).join(' – '), cells: [] }
  for (let row = 0; row < rows; row += 1) {
    cells.push({ row: row + 1, column: 0, text: labels[row] ?? '' })
    series.forEach(
      ({ values }, at) => void cells.push({ row: row + 1, column: at + 1, text: values[row] ?? '' }),
    )
  }
  return { title, cells: [{ row: 0, column: 0, text: head.trim() }, ...cells] }
}

const titleOf = (node: XmlNode | undefined) =>
  findAll(childOf(node, 'c:title'), 'a:p')
    .map((one) => findAll(one, 'a:t').map(textOf).join(''))
    .join(' ')
    .trim()

function pointsOf(node: XmlNode | undefined): string[] {
  const points: string[] = []
  const cache = findAll(node, 'c:lvl')[0] ?? findAll(node, 'c:numCache')[0] ?? findAll(node, 'c:strCache')[0]
  for (const point of childrenOf(cache, 'c:pt')) {
    const at = Number(point.attributes.idx)
    if (at >= 0 && at < 5000) points[at] = textOf(childOf(point, 'c:v'))
  }
  return Array.from(points, (point) => point ?? '')
}
