import { useMutation } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useState } from 'react'
import { exportAccount } from '#shared/chat/exports/exports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

/** Exports all data of the person as one archive. */
export function NewArchive() {
  const { t } = useTranslation('exports')
  const [documents, setDocuments] = useState(true)
  const making = useMutation({
    mutationFn: () => {
      const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
      return call(exportAccount, { body: { documents, language: currentLanguage(), time_zone } })
    },
    onSuccess: () => void toast.success(t('data.archive_begun')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['exports'] }),
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <Button
          busy={making.isPending}
          icon={<Archive aria-hidden className="icon" />}
          onClick={() => making.mutate()}
        >
          {t('data.new_archive')}
        </Button>
        <Checkbox label={t('data.with_documents')} checked={documents} onCheckedChange={setDocuments} />
      </div>
      {making.isError && <Callout tone="danger">{errorText(t, making.error)}</Callout>}
    </div>
  )
}
