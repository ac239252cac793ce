import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../../platform/ui/input.tsx'

type TextFieldProps = {
  label: string
  value: string
  onValue: (value: string) => void
  error?: string | undefined
  hint?: string | undefined
  optional?: boolean
  /** For addresses and names that machines read. */
  mono?: boolean
  maxLength?: number
  placeholder?: string
}

/** One line of text in the form of a provider. */
export function TextField({
  label,
  value,
  onValue,
  mono = false,
  error,
  hint,
  optional,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} optional={optional}>
      <Input
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        {...rest}
        className={mono ? 'font-mono' : undefined}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </Field>
  )
}

/** A secret, which is entered and never shown again. */
export function SecretField({ label, value, onValue, error, hint, optional }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} optional={optional}>
      <PasswordInput
        autoComplete="new-password"
        maxLength={4000}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </Field>
  )
}

/** An address to enter at the provider. */
export function GivenAddress({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('admin')
  return (
    <Field label={label}>
      <Input
        readOnly
        quiet
        className="font-mono"
        value={value}
        end={
          <CopyButton
            size="xs"
            className="-mr-1.5"
            read={() => value}
            name={t('administration.sign_on.copy', { name: label })}
          />
        }
      />
    </Field>
  )
}
