import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { type FoundFile, hasFiles, readDropped } from '../../uploads/uploads.ts'
import '../drop-over.css'

type DropZoneProps = {
  place: string | null
  /** Null: dropping is disabled. */
  onFiles: ((files: FoundFile[]) => void) | null
  children: ReactNode
}

/** Accepts files and folders dropped anywhere on it. */
export function DropZone({ place, onFiles, children }: DropZoneProps) {
  const { t } = useTranslation('documents')
  const [isOver, setOver] = useState(false)
  // A drag enters and leaves every nested element.
  const depth = useRef(0)
  const move = (step: number) => (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    depth.current = Math.max(0, depth.current + step)
    setOver(onFiles !== null && depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    depth.current = 0
    setOver(false)
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    // A disabled drop must not open the file instead of the page either.
    if (onFiles) void readDropped(event.dataTransfer).then(onFiles)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an adjacent button does the same as dropping.
    <div className="library" onDragEnter={move(1)} onDragLeave={move(-1)} onDragOver={move(0)} onDrop={drop}>
      {children}
      {isOver && (
        <div className="drop-over">
          <p className="text-18 font-semibold">
            {place ? t('drop.workspace', { name: place }) : t('drop.library')}
          </p>
          <p className="text-ink-2">{t('drop.text')}</p>
        </div>
      )}
    </div>
  )
}
