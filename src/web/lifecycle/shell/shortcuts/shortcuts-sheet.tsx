import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type ShortcutAction, shortcutPlaces, shortcutTable } from '#shared/platform/shortcut-table.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ShortcutRow } from './shortcut-row.tsx'
import { useChangeKeys } from './use-change-keys.ts'

/** All shortcuts by place, each with a button that changes its keys. */
export default function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shortcuts')
  const changes = useMe()?.shortcuts ?? {}
  const { problem, forget, change, resetAll } = useChangeKeys(changes)
  const [recording, setRecording] = useState<ShortcutAction | null>(null)
  const record = (action: ShortcutAction | null) => {
    forget()
    setRecording(action)
  }
  const give = async (action: ShortcutAction, keys: string | null) => {
    if (await change(action, keys)) setRecording((now) => (now === action ? null : now))
  }
  const isDefault = Object.keys(changes).length === 0
  return (
    <Dialog
      open
      size="lg"
      title={t('common:shortcuts.title')}
      description={t('hint')}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      footer={
        <Button
          icon={<RotateCcw aria-hidden className="icon" />}
          disabled={isDefault}
          onClick={() => {
            setRecording(null)
            resetAll().catch((error) => toast.error(errorText(t, error)))
          }}
        >
          {t('reset_all')}
        </Button>
      }
    >
      <div className="max-h-[64dvh] overflow-y-auto pr-1">
        <div className="columns-2 gap-9 pt-4 max-md:columns-1">
          {shortcutPlaces.map((place) => (
            <section key={place} aria-labelledby={`shortcuts-${place}`} className="mb-6 break-inside-avoid">
              <h3 id={`shortcuts-${place}`} className="mb-1.5 text-12 font-medium text-ink-3">
                {t(`places.${place}`)}
              </h3>
              <ul>
                {(Object.keys(shortcutTable[place]) as ShortcutAction[]).map((action) => (
                  <ShortcutRow
                    key={action}
                    {...{ action, changes }}
                    isRecording={recording === action}
                    problem={problem?.action === action ? problem : null}
                    onRecord={(isOn) => record(isOn ? action : null)}
                    onKeys={(keys) => void give(action, keys)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
