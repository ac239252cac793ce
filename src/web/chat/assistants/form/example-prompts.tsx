import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'

const MAX_ITEMS = 20

type ExamplePromptsProps = { value: string[]; onChange: (prompts: string[]) => void }

/** The starters of chats with the assistant, in order. */
export function ExamplePrompts({ value, onChange }: ExamplePromptsProps) {
  const { t } = useTranslation('assistant')
  const swap = (at: number, other: number) =>
    onChange(value.map((text, place) => (place === at ? value[other]! : place === other ? value[at]! : text)))
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{t('field.examples')}</legend>
      {value.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an example is nothing but its place.
        <div key={at} className="flex items-center gap-1">
          <Input
            quiet
            aria-label={t('examples.one', { number: at + 1 })}
            value={text}
            maxLength={1000}
            onChange={({ target }) =>
              onChange(value.map((other, place) => (place === at ? target.value : other)))
            }
          />
          <IconButton
            name={t('examples.up', { number: at + 1 })}
            size="sm"
            disabled={at === 0}
            onClick={() => swap(at, at - 1)}
          >
            <ArrowUp aria-hidden className="icon-14" />
          </IconButton>
          <IconButton
            name={t('examples.down', { number: at + 1 })}
            size="sm"
            disabled={at === value.length - 1}
            onClick={() => swap(at, at + 1)}
          >
            <ArrowDown aria-hidden className="icon-14" />
          </IconButton>
          <IconButton
            name={t('examples.remove', { number: at + 1 })}
            size="sm"
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          >
            <X aria-hidden className="icon-14" />
          </IconButton>
        </div>
      ))}
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 self-start justify-self-start"
        disabled={value.length >= MAX_ITEMS}
        icon={<Plus aria-hidden className="icon-14" />}
        onClick={() => onChange([...value, ''])}
      >
        {t('examples.add')}
      </Button>
    </fieldset>
  )
}
