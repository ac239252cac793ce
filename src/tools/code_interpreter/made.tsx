import { useQuery } from '@tanstack/react-query'
import { Download, Expand } from 'lucide-react'
import { useState } from 'react'
import { extensionOf } from '#shared/documents/file-kinds.ts'
import { getMedia, type MediaReference } from '#shared/media/media.ts'
import { openRoute } from '../../web/lib/call.ts'
import { useTranslation } from '../../web/ui/card-parts.ts'
import { sizeText } from '../../web/ui/file-size.ts'
import { FileTile } from '../../web/ui/file-tile.tsx'
import { IconButton } from '../../web/ui/icon-button.tsx'
import { ImageOverlay } from '../../web/ui/overlays/image-overlay.tsx'
import { saveFile } from '../../web/ui/save-file.ts'
import { Skeleton } from '../../web/ui/skeleton.tsx'
import { toast } from '../../web/ui/toasts/toasts.ts'

/** An image a program made: it opens over the whole window. */
export function MadeImage({ media }: { media: MediaReference }) {
  const { t } = useTranslation('tool_ui')
  const [isOpen, setOpen] = useState(false)
  const { data: src, isError } = useQuery({
    queryKey: ['media', media.id],
    queryFn: async ({ signal }) => {
      const answer = await openRoute(getMedia, { params: { mediaId: media.id }, signal })
      return URL.createObjectURL(await answer.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const open = () => src && setOpen(true)
  return (
    <figure className="m-0 overflow-hidden rounded-card border border-line bg-bg">
      <figcaption className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-3 text-13">
        <span className="min-w-0 flex-1 truncate">{media.name}</span>
        <DownloadButton media={media} />
        <IconButton name={t('code_interpreter.enlarge', { name: media.name })} size="sm" onClick={open}>
          <Expand aria-hidden className="icon" />
        </IconButton>
      </figcaption>
      {src ? (
        <button type="button" aria-label={t('code_interpreter.enlarge', { name: media.name })} onClick={open}>
          <img src={src} alt={media.name} className="block max-h-[420px] w-full bg-white object-contain" />
        </button>
      ) : isError ? (
        <p className="p-3 text-13 text-ink-2">{t('code_interpreter.not_there')}</p>
      ) : (
        <Skeleton className="h-60" />
      )}
      {isOpen && src && (
        <ImageOverlay src={src} alt={media.name} fileName={media.name} onClose={() => setOpen(false)} />
      )}
    </figure>
  )
}

/** Files programs made, each to be saved. */
export function MadeFiles({ files }: { files: readonly MediaReference[] }) {
  const { t } = useTranslation('tool_ui')
  const { t: common } = useTranslation('common')
  return (
    <section className="grid gap-1.5">
      <h4 className="text-13 font-medium">
        {t('code_interpreter.made_files')} <span className="num font-normal text-ink-3">{files.length}</span>
      </h4>
      <ul className="divide-y divide-line rounded-card border border-line bg-bg">
        {files.map((media) => (
          <li key={media.id} className="flex items-center gap-2.5 px-2 py-1.5">
            <FileTile extension={extensionOf(media.name)} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-13 font-medium">{media.name}</span>
              <span className="num block text-12 text-ink-2">{sizeText(common, media.size)}</span>
            </span>
            <DownloadButton media={media} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DownloadButton({ media }: { media: MediaReference }) {
  const { t } = useTranslation('tool_ui')
  const save = async () => {
    try {
      const answer = await openRoute(getMedia, { params: { mediaId: media.id }, query: { download: 'true' } })
      saveFile(await answer.blob(), media.name)
    } catch {
      void toast.error(t('code_interpreter.not_there'))
    }
  }
  return (
    <IconButton
      name={t('code_interpreter.download', { name: media.name })}
      size="sm"
      onClick={() => void save()}
    >
      <Download aria-hidden className="icon" />
    </IconButton>
  )
}
