import { Crosshair, Expand, RotateCcw, RotateCw } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Callout } from '../../web/platform/ui/callout.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { placeOfChunk } from '../page/chunk-marks.tsx'
import { FindBar } from '../page/find-bar.tsx'
import { foldText } from '../page/fold-text.ts'
import { useSearch } from '../page/use-search.ts'
import { useViewerKeys } from '../page/use-viewer-keys.ts'
import { useZoomGestures } from '../page/use-zoom-gestures.ts'
import { BarRule, ElementsSwitch, ViewerBar, ZoomButtons } from '../page/viewer-bar.tsx'
import { piecesOf } from '../page/words.tsx'
import { IMAGE_ZOOM, stepZoom } from '../page/zoom.ts'
import type { ViewerProps } from '../viewer.ts'
import { Picture } from './picture.tsx'
import { type Size, showPlace, usePlacing } from './use-placing.ts'
import '../page/page.css'
import './image.css'

const MOVE = 48
const NO_WORDS: never[] = []

/** Shows a picture with zoom, rotation, dragging and recognised text. */
export default function ImageView({ url, document: { name }, chunk, parts }: ViewerProps) {
  const { t } = useTranslation('documents')
  const viewer = useRef<HTMLDivElement>(null)
  const room = useRef<HTMLElement>(null)
  const [natural, setNatural] = useState<Size | null>(null)
  const [showsElements, setShowsElements] = useState(true)
  const [hasFailed, setFailed] = useState(false)
  const { placing, fitWhole, zoomTo, turn, move, change, handlers } = usePlacing(room, natural)
  const [part] = parts
  const words = part?.words ?? NO_WORDS
  const text = useMemo(() => foldText(piecesOf(words)), [words])
  const readText = useCallback(() => Promise.resolve(text), [text])
  const search = useSearch({ count: 1, current: 1, readText })
  const place = useMemo(() => chunk && placeOfChunk(chunk, 1), [chunk])
  const zoom = placing?.zoom ?? 1

  const focus = useCallback(() => {
    const box = place?.boxes[0]?.box
    if (box && natural) change((now, size) => showPlace(now, natural, size, box))
  }, [place, natural, change])
  useEffect(focus, [focus])
  const onNow = useCallback(
    (range: Range) => {
      const [hit, box] = [range.getBoundingClientRect(), room.current?.getBoundingClientRect()]
      if (!box) return
      const isSeen =
        hit.left >= box.left && hit.right <= box.right && hit.top >= box.top && hit.bottom <= box.bottom
      if (!isSeen) move(box.left + box.width / 2 - hit.left, box.top + box.height / 2 - hit.top)
    },
    [move],
  )
  useViewerKeys(viewer, {
    previous_page: () => move(MOVE, 0),
    next_page: () => move(-MOVE, 0),
    view_up: () => move(0, MOVE),
    view_down: () => move(0, -MOVE),
    zoom_in: () => zoomTo(stepZoom(zoom, 1, IMAGE_ZOOM)),
    zoom_out: () => zoomTo(stepZoom(zoom, -1, IMAGE_ZOOM)),
    zoom_fit: fitWhole,
  })
  useZoomGestures(room, { zoom, range: IMAGE_ZOOM, onZoom: zoomTo })
  if (hasFailed) return <EmptyState page title={t('viewer.image_failed')} />
  return (
    <div ref={viewer} className="image-viewer">
      <ViewerBar>
        <ZoomButtons zoom={zoom} range={IMAGE_ZOOM} onZoom={zoomTo} />
        <IconButton size="sm" name={t('viewer.fit')} keys="0" onClick={fitWhole}>
          <Expand aria-hidden className="icon" />
        </IconButton>
        <BarRule />
        <IconButton
          size="sm"
          name={t('viewer.rotate_left')}
          className="image-turn-left"
          onClick={() => turn(-1)}
        >
          <RotateCcw aria-hidden className="icon" />
        </IconButton>
        <IconButton size="sm" name={t('viewer.rotate')} onClick={() => turn(1)}>
          <RotateCw aria-hidden className="icon" />
        </IconButton>
        {place && place.boxes.length > 0 && (
          <IconButton size="sm" name={t('viewer.to_chunk')} onClick={focus}>
            <Crosshair aria-hidden className="icon" />
          </IconButton>
        )}
        <span className="viewer-grow" />
        {words.length > 0 && (
          <>
            <FindBar search={search} />
            <BarRule />
          </>
        )}
        <ElementsSwitch checked={showsElements} onChange={setShowsElements} />
      </ViewerBar>
      <div className="viewer-columns">
        <section
          ref={room}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the picture.
          tabIndex={0}
          aria-label={t('viewer.picture', { name })}
          className="image-room"
          {...handlers}
        >
          <Picture
            {...{ url, name, part, natural, placing, showsElements, text, onNow }}
            chunk={place}
            sought={{ query: search.query, now: search.now?.index ?? null }}
            onSize={setNatural}
            onError={() => setFailed(true)}
          />
        </section>
        {chunk && !place && (
          <Callout tone="warning" title={t('viewer.chunk_unplaced')} className="viewer-note" />
        )}
      </div>
    </div>
  )
}
