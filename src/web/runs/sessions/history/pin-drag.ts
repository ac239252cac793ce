/** Attribute of the row that a dragged pin would land at: above or below it. */
const EDGE = 'data-drop'

type Drag = {
  /** The list with the rows. */
  list: HTMLElement
  /** The dragged pin. */
  id: string
  /** The listed pins in their order. */
  pins: readonly string[]
  /** Moves the pin to the place of another one. */
  onMove: (targetId: string) => void
}

/** Follows the drag of a pin until it ends. The row it would land at shows the edge. */
export function followPin({ list, id, pins, onMove }: Drag): void {
  let marked: HTMLElement | null = null
  const mark = (row: HTMLElement | null) => {
    if (row === marked) return
    marked?.removeAttribute(EDGE)
    marked = row
    const isBelow = row && pins.indexOf(id) < pins.indexOf(row.dataset.session ?? '')
    row?.setAttribute(EDGE, isBelow ? 'below' : 'above')
  }
  const rowOf = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-session]') : null
    const rowId = row?.dataset.session ?? ''
    return rowId !== id && pins.includes(rowId) ? row : null
  }
  const left = new AbortController()
  const on = (
    name: 'dragover' | 'drop' | 'dragend',
    act: (event: Event) => void,
    place: EventTarget = list,
  ) => place.addEventListener(name, act, { signal: left.signal })
  on('dragover', (event) => {
    mark(rowOf(event))
    if (marked) event.preventDefault()
  })
  on('drop', (event) => {
    event.preventDefault()
    const target = marked?.dataset.session
    if (target) onMove(target)
  })
  on(
    'dragend',
    () => {
      mark(null)
      left.abort()
    },
    document,
  )
}
