import { Download, Link2, Share } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'

/** The export of chats with its texts. */
export const ExportDialog = lazy(() => withTexts(import('./export-dialog.tsx')))
const ShareDialog = lazy(() =>
  withTexts(import('../shares/shares.tsx').then((file) => ({ default: file.ShareDialog }))),
)

/** A dialog with its texts. */
async function withTexts<File>(loading: Promise<File>): Promise<File> {
  const [file] = await Promise.all([loading, loadTexts('exports')])
  return file
}

/** Export of a chat: a link, or a file. */
export function ChatOut({ session }: { session: Pick<Session, 'id' | 'documents' | 'project'> }) {
  const { t } = useTranslation('streaming_blocks')
  const [open, setOpen] = useState<'export' | 'share' | null>(null)
  const close = () => setOpen(null)
  // Only the owner of a chat makes links to it.
  const isOwn = !session.project?.author
  const [mayExport, mayLink] = [useIsOpen('exports'), useIsOpen('links') && isOwn]
  if (!mayExport && !mayLink) return null
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" aria-label={t('out.label')} icon={<Share aria-hidden className="icon" />}>
            <span className="max-lg:hidden">{t('out.label')}</span>
          </Button>
        }
        align="end"
        entries={[
          mayLink && {
            label: t('out.share'),
            icon: <Link2 aria-hidden className="icon" />,
            onSelect: () => setOpen('share'),
          },
          mayExport && {
            label: t('out.export'),
            icon: <Download aria-hidden className="icon" />,
            onSelect: () => setOpen('export'),
          },
        ].filter((entry) => entry !== false)}
      />
      <Suspense>
        {open === 'export' && <ExportDialog sessionIds={[session.id]} onClose={close} />}
        {open === 'share' && <ShareDialog session={session} onClose={close} />}
      </Suspense>
    </>
  )
}
