import { Captions, Image, Mail, Package, Play } from 'lucide-react'
import { type Document, THUMBNAIL } from '#shared/knowledge/documents/documents.ts'
import { categoryOf, chipLabel, isTranscript } from '#shared/knowledge/documents/file-kinds.ts'
import { usePicture } from './use-picture.ts'
import './thumbnail.css'

/** Heights of a wave, in pixels. */
const wave = [8, 18, 12, 30, 44, 26, 52, 34, 48, 20, 36, 14, 28, 40, 18, 10]
const lines = [90, 96, 84, 92, 60]

/** The first page of a document; a drawing of its file kind until it is loaded, or if it has none. */
export function Thumbnail({ document }: { document: Document }) {
  const picture = usePicture(document, document.doc_metadata.files.includes(THUMBNAIL))
  if (!picture) return <Drawing extension={document.extension} />
  const kind = categoryOf(document.extension) === 'images' ? 'picture' : 'page'
  return (
    <img src={picture} alt="" decoding="async" draggable={false} className="thumb-image" data-kind={kind} />
  )
}

function Drawing({ extension }: Pick<Document, 'extension'>) {
  const category = categoryOf(extension)
  if (category === 'media')
    return ['mp3', 'wav', 'ogg', 'flac', 'm4a', 'aac'].includes(extension) ? <Wave /> : <Tile Icon={Play} />
  if (category === 'images') return <Tile Icon={Image} />
  if (category === 'mail') return <Tile Icon={Mail} />
  if (isTranscript(extension)) return <Tile Icon={Captions} />
  if (extension === 'zip') return <Tile Icon={Package} />
  const label = chipLabel(extension)
  if (label === 'XLS' || label === 'CSV') return <Sheet />
  return label === 'PPT' ? <Slide /> : <Page />
}

function Page() {
  return (
    <span aria-hidden className="thumb">
      <b />
      {lines.map((width) => (
        <i key={width} style={{ width: `${width}%` }} />
      ))}
      <em />
      <i style={{ width: '94%' }} />
    </span>
  )
}

function Sheet() {
  return (
    <span aria-hidden className="thumb thumb-wide">
      <b />
      <span className="thumb-cells">
        {Array.from({ length: 20 }, (_, cell) => String(cell)).map((cell) => (
          <i key={cell} />
        ))}
      </span>
    </span>
  )
}

function Slide() {
  return (
    <span aria-hidden className="thumb thumb-wide">
      <b />
      <span className="thumb-slide">
        <em />
        <span>
          <i />
          <i />
          <i />
        </span>
      </span>
    </span>
  )
}

function Wave() {
  return (
    <span aria-hidden className="thumb-wave">
      {wave.map((height) => (
        <i key={height} style={{ height }} />
      ))}
    </span>
  )
}

function Tile({ Icon }: { Icon: typeof Play }) {
  return (
    <span aria-hidden className="thumb-tile">
      <Icon className="icon-20" />
    </span>
  )
}
