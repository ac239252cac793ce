import clsx from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { useFieldControl } from './field.tsx'
import { IconButton } from './icon-button.tsx'

export type InputProps = Omit<ComponentProps<'input'>, 'size'> & {
  size?: 'md' | 'lg'
  /** A softer edge, for filters and searches. */
  quiet?: boolean
  /** An icon before the text. */
  icon?: ReactNode
  /** A control after the text. */
  end?: ReactNode
}

/** One line of text. A surrounding `Field` labels it. */
export function Input({ size = 'md', quiet, icon, end, className, ...rest }: InputProps) {
  const control = useFieldControl()
  return (
    <span className={clsx(inputLook(quiet), 'flex items-center gap-2', sizes[size], className)}>
      {icon && <span className="text-ink-3 [&>svg]:icon">{icon}</span>}
      <input
        dir="auto"
        {...control}
        {...rest}
        className="h-full w-full min-w-0 flex-1 bg-transparent outline-none disabled:cursor-default"
      />
      {end}
    </span>
  )
}

/** A password with a button that reveals it. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'end'>) {
  const { t } = useTranslation('common')
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  const name = t(isShown ? 'password.hide' : 'password.show')
  return (
    <Input
      autoCapitalize="off"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <IconButton
          name={name}
          size="xs"
          aria-pressed={isShown}
          className="-mr-1.5 max-md:-mr-2.5 max-md:size-10"
          onClick={() => setShown(!isShown)}
        >
          <Icon aria-hidden className="icon" />
        </IconButton>
      }
    />
  )
}

export type TextareaProps = ComponentProps<'textarea'> & { quiet?: boolean }

/** Several lines of text; grows with its content if the browser supports it. */
export function Textarea({ quiet, className, ...rest }: TextareaProps) {
  const control = useFieldControl()
  return (
    <textarea
      dir="auto"
      {...control}
      {...rest}
      className={clsx(
        inputLook(quiet),
        'block min-h-18 resize-y px-2.5 py-2 leading-normal field-sizing-content focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus',
        className,
      )}
    />
  )
}

/** Returns the classes of text controls. */
export function inputLook(quiet = false): string {
  return clsx(
    'w-full min-w-0 rounded-control border bg-raised text-14 text-ink',
    quiet ? 'border-line-2' : 'border-line-strong',
    'has-[[aria-invalid=true]]:border-danger aria-invalid:border-danger',
    'has-[input:disabled]:border-line-2 has-[input:disabled]:bg-surface-2 has-[input:disabled]:text-ink-3',
    'disabled:border-line-2 disabled:bg-surface-2 disabled:text-ink-3',
    'has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus',
  )
}

const sizes = { md: 'h-8 px-2.5 max-md:h-11', lg: 'h-10 px-3 max-md:h-11' }
