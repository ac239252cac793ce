import { Download } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { saveFile } from '../../platform/ui/files/save-file.ts'

/** Shows the recovery codes once, to copy, save or write down before continuing. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation('login')
  const text = codes.join('\n')
  const save = () =>
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${t('second_step.codes_file')}.txt`)
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warning" title={t('second_step.codes_title')}>
        {t('second_step.codes_hint')}
      </Callout>
      <ul className="grid gap-1 rounded-card border border-line p-3.5 font-mono text-13 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center gap-2">
        <Button icon={<Download aria-hidden className="icon-14" />} onClick={save}>
          {t('second_step.codes_save')}
        </Button>
        <CopyButton variant="lined" name={t('second_step.codes_copy')} read={() => text} />
      </div>
      <Button variant="primary" size="lg" wide onClick={onDone}>
        {t('second_step.codes_done')}
      </Button>
    </div>
  )
}
