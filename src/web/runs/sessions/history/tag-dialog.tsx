import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { listTags, MAX_TAG } from '#shared/chat/session-marks/session-marks.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { tagsKey } from '../marks.ts'
import { titleOf } from './session-mark.ts'

type TagDialogProps = {
  sessions: readonly Session[]
  onTag: (tag: string, isOn: boolean) => void
  onClose: () => void
}

/** The tags of one chat or several. A tag is set as soon as it is ticked. */
export function TagDialog({ sessions, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState('')
  const used = useUsedTags()
  const words = typed.replaceAll(',', ' ').replace(/\s+/g, ' ').trim()
  const counts = new Map(used.map(({ tag }) => [tag, 0]))
  for (const { tags } of sessions) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const shown = [...counts].filter(([tag]) => fold(tag).includes(fold(words)))
  const isNew = words !== '' && ![...counts.keys()].some((tag) => fold(tag) === fold(words))
  const enter = () => {
    const [only] = shown
    if (isNew) onTag(words, true)
    else if (words && only) onTag(only[0], only[1] < sessions.length)
    setTyped('')
  }
  const [first] = sessions
  const title =
    sessions.length === 1 && first
      ? t('history.tags.of_one', { title: titleOf(first, t) })
      : t('history.tags.of_several', { count: sessions.length })
  return (
    <Dialog
      open
      atTop
      onOpenChange={onClose}
      title={title}
      footer={<Button onClick={onClose}>{t('history.done')}</Button>}
    >
      <Input
        type="text"
        autoComplete="off"
        aria-label={t('history.tags.find')}
        placeholder={t('history.tags.find')}
        value={typed}
        maxLength={MAX_TAG}
        icon={<Search aria-hidden />}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return
          event.preventDefault()
          enter()
        }}
      />
      <ul className="mt-2 flex max-h-80 flex-col overflow-y-auto py-1">
        {shown.map(([tag, count]) => (
          <li key={tag} className="flex min-h-9 items-center px-1">
            <Checkbox
              label={<span dir="auto">{tag}</span>}
              checked={count === sessions.length}
              mixed={count > 0 && count < sessions.length}
              onCheckedChange={(isOn) => onTag(tag, isOn)}
            />
          </li>
        ))}
        {isNew && (
          <li>
            <Button variant="ghost" icon={<Plus aria-hidden className="icon" />} onClick={enter}>
              {t('history.tags.create', { tag: words })}
            </Button>
          </li>
        )}
        {shown.length === 0 && !isNew && (
          <li className="px-1 py-2 text-13 text-ink-2">{t('history.tags.none')}</li>
        )}
      </ul>
    </Dialog>
  )
}

/** Returns a tag for comparison: lower case without accents. */
function fold(tag: string): string {
  return tag.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Returns the person's tags, the most used first. */
export function useUsedTags() {
  const { data } = useQuery({ queryKey: tagsKey, queryFn: ({ signal }) => call(listTags, { signal }) })
  return data?.items ?? []
}
