import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'
import { useTranslation } from '../i18n/i18n.ts'

type Control = { id: string; describedBy: string | undefined; invalid: boolean }
const FieldContext = createContext<Control | null>(null)

export type FieldProps = {
  label: ReactNode
  /** One line of help below the control. */
  hint?: ReactNode
  /** The problem and its solution; replaces the hint. */
  error?: ReactNode
  /** Marks the field as optional. */
  optional?: boolean
  /** Shown at the right end of the label line, such as a link. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A label, a control and a line below it, connected for assistive technology. */
export function Field({ label, hint, error, optional, aside, className, children }: FieldProps) {
  const { t } = useTranslation('common')
  const id = useId()
  const lineId = `${id}-line`
  const line = error ?? hint
  const control = { id, describedBy: line ? lineId : undefined, invalid: Boolean(error) }
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline gap-2">
        <label htmlFor={id} className="text-13 font-medium">
          {label}
          {optional && <span className="font-regular text-ink-3"> {t('field.optional')}</span>}
        </label>
        {aside && <span className="ml-auto text-13">{aside}</span>}
      </div>
      <FieldContext value={control}>{children}</FieldContext>
      {line && (
        <div id={lineId} className={clsx('text-12', error ? 'flex gap-1.5 text-danger' : 'text-ink-3')}>
          {error && <CircleAlert aria-hidden className="icon-12 mt-0.5" />}
          <span>{line}</span>
        </div>
      )}
    </div>
  )
}

/** Returns the id and the descriptions for a control inside a `Field`; nothing outside one. */
export function useFieldControl() {
  const control = use(FieldContext)
  if (!control) return {}
  return {
    id: control.id,
    'aria-describedby': control.describedBy,
    'aria-invalid': control.invalid || undefined,
  }
}
