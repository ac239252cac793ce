import clsx from 'clsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { changeKind } from './connection-draft.ts'
import { PresetButtons } from './fields/preset-buttons.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

/** Provider picker of the connection dialog. */
export function ConnectionKinds({ form }: { form: ConnectionForm }) {
  return (
    <>
      <Kinds form={form} />
      {form.draft.form.presets.length > 0 && <PresetButtons form={form} />}
    </>
  )
}

function Kinds({ form: { draft, forms, change } }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  return (
    <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      <legend className="sr-only">{t('models.form.kind')}</legend>
      {forms.map((form) => {
        const { kind, wants } = form
        const isChosen = draft.form.kind === kind
        return (
          <button
            key={kind}
            type="button"
            aria-pressed={isChosen}
            className={clsx(
              'grid content-start gap-px rounded-card border px-3 py-2.5 text-left hover-motion',
              isChosen
                ? 'border-accent bg-accent-soft ring-1 ring-accent ring-inset'
                : 'border-line-2 hover:bg-surface-2',
            )}
            onClick={() => change(changeKind(draft, form))}
          >
            <span className="text-13 font-medium">{t(`models.form.kinds.${kind}`)}</span>
            <span className={clsx('text-12', isChosen ? 'text-ink-2' : 'text-ink-3')}>
              {t(`models.form.${wants}`)}
            </span>
          </button>
        )
      })}
    </fieldset>
  )
}
