import { ExportList, NewArchive } from '../exports/exports.tsx'
import { useTranslation } from '../i18n/i18n.ts'
import { LinkList } from '../shares/shares.tsx'
import { Setting } from './setting.tsx'

/** What is the person's, and its ways out. */
export default function DataTab() {
  const { t } = useTranslation('exports')
  return (
    <>
      <Setting title={t('data.archive')} reason={t('data.archive_reason')}>
        <NewArchive />
      </Setting>
      <Setting title={t('data.taken_out')} reason={t('data.taken_out_reason')}>
        <ExportList />
      </Setting>
      <Setting title={t('data.links')} reason={t('data.links_reason')}>
        <LinkList />
      </Setting>
    </>
  )
}
