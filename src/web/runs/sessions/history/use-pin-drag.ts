import { type DragEvent, useState } from 'react'

/** Type of what is dragged, so that files and texts from elsewhere are not taken for a pin. */
const TYPE = 'application/x-atrium-pin'

export type DragHandlers = {
  onDragStart: (event: DragEvent) => void
  onDragOver: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
  onDragEnd: () => void
}

/** Lets a pinned chat be dragged to the place of another one. `pins` are their ids in order. */
export function usePinDrag(pins: readonly string[], onMove: (id: string, targetId: string) => void) {
  const [dragged, setDragged] = useState<{ id: string; over: string | null } | null>(null)
  const handlersOf = (id: string): DragHandlers => ({
    onDragStart: (event) => {
      event.dataTransfer.setData(TYPE, id)
      event.dataTransfer.effectAllowed = 'move'
      setDragged({ id, over: null })
    },
    onDragOver: (event) => {
      if (!dragged || !event.dataTransfer.types.includes(TYPE)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      if (dragged.over !== id) setDragged({ ...dragged, over: id })
    },
    onDrop: (event) => {
      if (!dragged) return
      event.preventDefault()
      setDragged(null)
      if (dragged.id !== id) onMove(dragged.id, id)
    },
    onDragEnd: () => setDragged(null),
  })
  return {
    /** Handlers of a row; undefined for a chat that is not pinned. */
    of: (id: string) => (pins.includes(id) ? handlersOf(id) : undefined),
    /** The edge of a row at which the dragged pin would land. */
    edgeOf: (id: string): 'above' | 'below' | null => {
      if (!dragged || dragged.over !== id || dragged.id === id) return null
      return pins.indexOf(dragged.id) < pins.indexOf(id) ? 'below' : 'above'
    },
  }
}
