import { Download } from 'lucide-react'
import { readSharedFile, type SharedFile } from '#shared/chat/shares/shares.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { urlOf } from '../../platform/lib/api/call.ts'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'

/** The files chosen by the person who shared the chat. */
export function SharedFiles({ token, files }: { token: string; files: SharedFile[] }) {
  const { t } = useTranslation('exports')
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-13 font-semibold">{t('shared.files')}</h2>
      <ul className="divide-y divide-line rounded-card border border-line">
        {files.map(({ place, name }) => (
          <li key={place} className="flex items-center gap-3 px-3.5 py-2.5">
            <FileTile extension={extensionOf(name)} />
            <span dir="auto" className="min-w-0 flex-1 truncate text-14">
              {name}
            </span>
            <a
              href={urlOf(readSharedFile, { params: { token, place } })}
              download={name}
              aria-label={t('list.download', { name })}
              className="inline-grid size-8 place-items-center max-md:size-11"
            >
              <Download aria-hidden className="icon" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
