import { type CSSProperties, useRef, useState } from 'react'
import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { ChunkMarks, type ChunkPlace } from '../page/chunk-marks.tsx'
import { ElementBoxes } from '../page/element-boxes.tsx'
import type { FoldedText } from '../page/fold-text.ts'
import { type Sought, useFound } from '../page/found.ts'
import { Words } from '../page/words.tsx'
import { type Placing, type Size, turned } from './use-placing.ts'

type PictureProps = {
  url: string
  name: string
  part: DocumentPart | undefined
  /** Size of the file; null until it is loaded. */
  natural: Size | null
  placing: Placing | null
  showsElements: boolean
  chunk: ChunkPlace
  text: FoldedText
  sought: Sought
  onNow: (range: Range) => void
  onSize: (size: Size) => void
  onError: () => void
}

/** Draws the picture and its recognised text, rotated together. */
export function Picture({ url, name, part, natural, placing, ...rest }: PictureProps) {
  const { showsElements, chunk, text, sought, onNow, onSize, onError } = rest
  const sheet = useRef<HTMLDivElement>(null)
  const [spans, setSpans] = useState<HTMLElement[] | null>(null)
  useFound({ spans, text, sought, onNow })
  return (
    <div ref={sheet} className="page-sheet paper image-sheet" style={styleOf(natural, placing)}>
      <img
        src={url}
        alt={name}
        draggable={false}
        onError={onError}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          onSize({ width: naturalWidth || 1, height: naturalHeight || 1 })
        }
      />
      {part && showsElements && <ElementBoxes part={part} page={sheet} isCited={chunk !== null} />}
      <ChunkMarks place={chunk} page={1} />
      {part && natural && part.words.length > 0 && (
        <Words words={part.words} ratio={natural.width / natural.height} onSpans={setSpans} />
      )}
    </div>
  )
}

/** Rotates the picture about its centre, because `placing` refers to the upper left corner after rotation. */
function styleOf(natural: Size | null, placing: Placing | null): CSSProperties {
  if (!natural || !placing) return { visibility: 'hidden' }
  const { x, y, zoom, turns } = placing
  const [width, height] = [natural.width * zoom, natural.height * zoom]
  const lying = turned({ width, height }, turns)
  const [left, top] = [x + (lying.width - width) / 2, y + (lying.height - height) / 2]
  return { width, height, transform: `translate(${left}px, ${top}px) rotate(${turns * 90}deg)` }
}
