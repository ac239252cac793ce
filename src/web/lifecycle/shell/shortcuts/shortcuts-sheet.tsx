import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Kbd, shortcutLabel } from '../../../platform/ui/kbd.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'

/** All shortcuts, by place. */
const groups = {
  everywhere: { search: ['mod', 'K'], new_chat: ['mod', 'shift', 'O'], sheet: ['?'] },
  chat: { send: ['enter'], new_line: ['shift', 'enter'], stop: ['esc'], record: ['mod', 'shift', 'M'] },
  history: {
    ...{
      move: ['↑', '↓'],
      ends: ['home', 'end'],
      pin: ['Alt ↑', 'Alt ↓'],
      rename: ['F2'],
      remove: ['delete'],
    },
  },
  inbox: { move: ['J', 'K'], open: ['enter'], approve: ['A'], decline: ['D'], leave: ['esc'] },
  branches: { move: ['↑', '↓'], alternative: ['←', '→'], open: ['enter'] },
}

/** The list of shortcuts, opened with the question mark. */
export default function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('common')
  const nameOf = (key: string) => t(`shortcuts.keys.${key}`, { defaultValue: shortcutLabel([key]) })
  return (
    <Dialog open size="lg" title={t('shortcuts.title')} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="grid max-h-[70dvh] grid-cols-3 gap-x-9 gap-y-6 overflow-y-auto pt-3 max-md:grid-cols-1">
        {Object.entries(groups).map(([group, shortcuts]) => (
          <section key={group} aria-labelledby={`shortcuts-${group}`}>
            <h3 id={`shortcuts-${group}`} className="mb-1.5 text-12 font-medium text-ink-3">
              {t(`shortcuts.${group}.title`)}
            </h3>
            <dl>
              {Object.entries(shortcuts).map(([name, keys]) => (
                <div
                  key={name}
                  className="flex min-h-8 items-center justify-between gap-3 border-b border-line text-13 last:border-0"
                >
                  <dt>{t(`shortcuts.${group}.${name}`)}</dt>
                  <dd className="flex gap-[3px]">
                    {keys.map((key) => (
                      <Kbd key={key}>{nameOf(key)}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
