import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { BeliefChange, BlockChange, LineChange } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../platform/i18n/tool-words.ts'

type Mark = 'same' | 'added' | 'removed' | 'changed'

/** Steps, tools, thoughts and questions in only one of two checkpoints. */
export function BlockChanges({ changes }: { changes: readonly BlockChange[] }) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  return (
    <Changes title={t('checkpoints.blocks')} marks={changes.map(({ kind }) => kind)}>
      {changes.length === 0 && <Quiet>{t('checkpoints.same_blocks')}</Quiet>}
      {changes.map(({ kind, block }) => (
        <Line key={`${kind} ${block.id}`} mark={kind}>
          {titleOf(block, t) ?? t(`checkpoints.${nouns[block.type] ?? 'question'}`)}
        </Line>
      ))}
    </Changes>
  )
}

const nouns: Partial<Record<Block['type'], string>> = { thinking: 'thought', error: 'failure' }

function titleOf(block: Block, t: TFunction): string | null {
  if (block.type === 'step') return block.description
  if (block.type === 'tool') return nameOfTool(t, block)
  if (block.type === 'input_required') return block.prompt
  return block.type === 'error' ? block.error : null
}

/** Entries of only one of two beliefs. */
export function BeliefChanges({ changes }: { changes: readonly BeliefChange[] }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <Changes title={t('panel.belief')} marks={changes.map(({ kind }) => kind)}>
      {changes.length === 0 && <Quiet>{t('checkpoints.same_belief')}</Quiet>}
      {changes.map(({ kind, part, text }) => (
        <Line key={`${kind} ${part} ${text}`} mark={kind}>
          {text}
        </Line>
      ))}
    </Changes>
  )
}

/** Unchanged lines shown around a change. */
const context = 2

/** The text diff: removed and added lines, with some context. */
export function TextChanges({ lines, isCut }: { lines: readonly LineChange[]; isCut: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const isChanged = lines.some(({ kind }) => kind !== 'same')
  return (
    <Changes title={t('checkpoints.text')} marks={lines.map(({ kind }) => kind)}>
      {!isChanged && <Quiet>{t('checkpoints.same_text')}</Quiet>}
      {isChanged &&
        fold(lines).map((item) =>
          'hidden' in item ? (
            <Quiet key={item.at}>{t('checkpoints.unchanged', { count: item.hidden })}</Quiet>
          ) : (
            <Line key={item.at} mark={item.line.kind}>
              {item.line.text}
            </Line>
          ),
        )}
      {isCut && <Quiet>{t('checkpoints.cut_text')}</Quiet>}
    </Changes>
  )
}

type Folded = { at: number; line: LineChange } | { at: number; hidden: number }

/** Folds long runs of unchanged lines. */
function fold(lines: readonly LineChange[]): Folded[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same')
  const folded: Folded[] = []
  lines.forEach((line, at) => {
    const last = folded.at(-1)
    if (isNear(at)) folded.push({ at, line })
    else if (last && 'hidden' in last) last.hidden += 1
    else folded.push({ at, hidden: 1 })
  })
  return folded
}

function Changes({ title, marks, children }: { title: string; marks: Mark[]; children: ReactNode }) {
  const { t } = useTranslation('streaming_blocks')
  const count = (mark: Mark) => marks.filter((one) => one === mark).length
  return (
    <section className="overflow-hidden rounded-card border border-line">
      <h3 className="flex h-9 items-center gap-2 border-b border-line bg-surface px-3.5 text-13 font-medium">
        <span className="flex-1">{title}</span>
        <span className="num text-12 font-regular text-ink-3">
          {t('checkpoints.changes', { added: count('added') + count('changed'), removed: count('removed') })}
        </span>
      </h3>
      <div className="text-13 leading-[25px]">{children}</div>
    </section>
  )
}

const looks: Record<Mark, string> = {
  same: 'text-ink-2',
  added: 'bg-success-soft',
  removed: 'bg-danger-soft',
  changed: 'bg-warning-soft',
}
const signs: Record<Mark, string> = { same: '', added: '+', removed: '−', changed: '±' }

function Line({ mark, children }: { mark: Mark; children: ReactNode }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className={clsx('flex min-h-[25px] gap-2 px-3.5', looks[mark])}>
      <span aria-hidden className="num w-3 flex-none">
        {signs[mark]}
      </span>
      {mark !== 'same' && <span className="sr-only">{t(`checkpoints.${mark}`)}: </span>}
      <span dir="auto" className="min-w-0 wrap-anywhere whitespace-pre-wrap">
        {children}
      </span>
    </div>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="px-3.5 py-0.5 text-12 text-ink-3">{children}</p>
}
