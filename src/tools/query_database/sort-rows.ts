import type { Value } from '#shared/tools/databases/databases.ts'

export type Order = { column: number; isDescending: boolean } | null

const collator = new Intl.Collator(undefined, { numeric: true })

/** Returns rows in the order of a column. Null values are last. Equal rows keep their order. */
export function sortRows(rows: readonly Value[][], order: Order): readonly Value[][] {
  if (!order) return rows
  const { column, isDescending } = order
  return rows.toSorted((a, b) => {
    const [left = null, right = null] = [a[column], b[column]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const found =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : collator.compare(String(left), String(right))
    return isDescending ? -found : found
  })
}

/** Returns the order after a click on a column: ascending, descending, then as the database sent them. */
export function nextOrder(order: Order, column: number): Order {
  if (order?.column !== column) return { column, isDescending: false }
  return order.isDescending ? null : { column, isDescending: true }
}
