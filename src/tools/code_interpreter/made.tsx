import { useQuery } from '@tanstack/react-query'
import { Download, Expand } from 'lucide-react'
import { useState } from 'react'
import { extensionOf } from '#shared/platform/file-extension.ts'
import type { MadeEntry, NamedFile } from '#shared/tools/media/media.ts'
import { openAddress } from '../../web/platform/lib/open-address.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { sizeText } from '../../web/platform/ui/files/file-size.ts'
import { FileTile, labelOf } from '../../web/platform/ui/files/file-tile.tsx'
import { saveFile } from '../../web/platform/ui/files/save-file.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { ImageOverlay } from '../../web/platform/ui/overlays/image-overlay.tsx'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { Spinner } from '../../web/platform/ui/states/spinner.tsx'
import { toast } from '../../web/platform/ui/toasts/toasts.ts'
import { KeepButton } from './keep-button.tsx'
import { nameOfEntry } from './read-work.ts'

/** Shows an image made by a program, in full-window view on click. While it is being made, its name is a placeholder. */
export function MadeImage({ entry }: { entry: MadeEntry }) {
  const name = shownName(entry)
  return (
    <figure className="m-0 overflow-hidden rounded-card border border-line bg-bg">
      {typeof entry === 'string' ? <InTheMaking name={name} /> : <Image file={entry} name={name} />}
    </figure>
  )
}

function InTheMaking({ name }: { name: string }) {
  const { t } = useTranslation('tool_ui')
  return (
    <figcaption role="status" className="flex items-center gap-2 px-3 py-2 text-13 text-ink-2">
      <Spinner className="icon" />
      {t('code_interpreter.in_the_making', { name })}
    </figcaption>
  )
}

function Image({ file, name }: { file: NamedFile; name: string }) {
  const { t } = useTranslation('tool_ui')
  const [isOpen, setOpen] = useState(false)
  const { data: src, isError } = useQuery({
    queryKey: ['media', addressOf(file)],
    queryFn: async ({ signal }) => URL.createObjectURL(await fetchFile(file, signal)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const open = () => src && setOpen(true)
  return (
    <>
      <figcaption className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-3 text-13">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <DownloadButton file={file} name={name} />
        <IconButton name={t('code_interpreter.enlarge', { name })} size="sm" onClick={open}>
          <Expand aria-hidden className="icon" />
        </IconButton>
      </figcaption>
      {src ? (
        <button type="button" aria-label={t('code_interpreter.enlarge', { name })} onClick={open}>
          <img src={src} alt={name} className="block max-h-[420px] w-full bg-white object-contain" />
        </button>
      ) : isError ? (
        <p className="p-3 text-13 text-ink-2">{t('code_interpreter.not_there')}</p>
      ) : (
        <Skeleton className="h-60" />
      )}
      {isOpen && src && <ImageOverlay src={src} alt={name} fileName={name} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Shows files made by programs, each with a save button. */
export function MadeFiles({ files }: { files: readonly MadeEntry[] }) {
  const { t } = useTranslation('tool_ui')
  return (
    <section className="grid gap-1.5">
      <h4 className="text-13 font-medium">
        {t('code_interpreter.made_files')} <span className="num font-normal text-ink-3">{files.length}</span>
      </h4>
      <ul className="divide-y divide-line rounded-card border border-line bg-bg">
        {files.map((entry) => (
          <FileRow key={nameOfEntry(entry)} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function FileRow({ entry }: { entry: MadeEntry }) {
  const { t } = useTranslation('common')
  const name = shownName(entry)
  if (typeof entry === 'string')
    return (
      <li>
        <InTheMaking name={name} />
      </li>
    )
  return (
    <li className="flex items-center gap-2.5 px-2 py-1.5">
      <FileTile extension={extensionOf(name)} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13 font-medium">{name}</span>
        {entry.size !== undefined && (
          <span className="num block text-12 text-ink-2">
            {labelOf(extensionOf(name))} · {sizeText(t, entry.size)}
          </span>
        )}
      </span>
      <KeepButton address={addressOf(entry)} name={name} bytes={() => fetchFile(entry)} />
      <DownloadButton file={entry} name={name} />
    </li>
  )
}

function DownloadButton({ file, name }: { file: NamedFile; name: string }) {
  const { t } = useTranslation('tool_ui')
  const save = async () => {
    if (addressOf(file) === null) return noteInvalid(file)
    try {
      saveFile(await fetchFile(file), name)
    } catch {
      void toast.error(t('code_interpreter.not_there'))
    }
  }
  return (
    <IconButton name={t('code_interpreter.download', { name })} size="sm" onClick={() => void save()}>
      <Download aria-hidden className="icon" />
    </IconButton>
  )
}

const shownName = (entry: MadeEntry) =>
  (typeof entry === 'string' ? entry : (entry.name ?? entry.asset_filename ?? '')).split('/').at(-1) ?? ''

const addressOf = ({ url, download_url }: NamedFile) => url ?? download_url ?? null

/** Returns the bytes of a file. @throws ApiError; Error for one without an address, which is logged */
async function fetchFile(file: NamedFile, signal?: AbortSignal): Promise<Blob> {
  const address = addressOf(file)
  if (address !== null) return (await openAddress(address, signal)).blob()
  noteInvalid(file)
  throw new Error('Invalid file object')
}

function noteInvalid(file: NamedFile): void {
  // This can only be logged.
  console.error('Invalid file object', file)
}
