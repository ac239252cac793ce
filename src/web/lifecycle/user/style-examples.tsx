import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import { countWords, EXAMPLE_MAX, EXAMPLES_MAX } from './preferences-draft.ts'

type StyleExamplesProps = { examples: string[]; onChange: (examples: string[]) => void }

/** Examples of a person's writing, each collapsed to two lines; they can be edited, deleted and added. */
export function StyleExamples({ examples, onChange }: StyleExamplesProps) {
  const { t } = useTranslation('common')
  const [openAt, setOpenAt] = useState<number | null>(null)
  const replace = (at: number, text: string) =>
    onChange(examples.map((each, index) => (index === at ? text : each)))
  const remove = (at: number) => {
    setOpenAt(null)
    onChange(examples.filter((_, index) => index !== at))
  }
  const close = () => {
    setOpenAt(null)
    if (examples.some((example) => example.trim() === ''))
      onChange(examples.filter((example) => example.trim() !== ''))
  }
  const add = () => {
    onChange([...examples, ''])
    setOpenAt(examples.length)
  }
  return (
    <div className="grid justify-items-start gap-2">
      {examples.length === 0 && <p className="text-13 text-ink-3">{t('user.style.empty')}</p>}
      {examples.map((example, at) => (
        <Example
          // biome-ignore lint/suspicious/noArrayIndexKey: an example is known by its place; two may be equal.
          key={at}
          number={at + 1}
          text={example}
          isOpen={openAt === at}
          onOpen={() => setOpenAt(at)}
          onClose={close}
          onChange={(text) => replace(at, text)}
          onDelete={() => remove(at)}
        />
      ))}
      {examples.length < EXAMPLES_MAX ? (
        <Button
          icon={<Plus aria-hidden className="icon-14" />}
          disabled={examples.at(-1) === ''}
          onClick={add}
        >
          {t('user.style.add')}
        </Button>
      ) : (
        <p className="text-12 text-ink-3">{t('user.style.full')}</p>
      )}
    </div>
  )
}

type ExampleProps = {
  number: number
  text: string
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
  onChange: (text: string) => void
  onDelete: () => void
}

function Example({ number, text, isOpen, onOpen, onClose, onChange, onDelete }: ExampleProps) {
  const { t } = useTranslation('common')
  const name = t('user.style.item', { number })
  return (
    <div className="w-full rounded-card border border-line py-2.5 pr-2 pl-3.5">
      <div className="flex items-center gap-2 text-12 text-ink-3">
        <span className="font-medium text-ink-2">{name}</span>
        <span className="num">{t('user.style.words', { count: countWords(text) })}</span>
        <IconButton
          name={t('user.style.delete', { number })}
          size="xs"
          className="ml-auto"
          onClick={onDelete}
        >
          <Trash2 aria-hidden className="icon-14" />
        </IconButton>
      </div>
      {isOpen ? (
        <Textarea
          autoFocus
          aria-label={name}
          className="mt-1.5 max-h-100 text-13!"
          placeholder={t('user.style.placeholder')}
          maxLength={EXAMPLE_MAX}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onClose}
        />
      ) : (
        <button
          type="button"
          className="mt-1 line-clamp-2 w-full rounded-tag text-left text-13 leading-5 text-ink-2 hover:text-ink"
          onClick={onOpen}
        >
          {text}
        </button>
      )}
    </div>
  )
}
