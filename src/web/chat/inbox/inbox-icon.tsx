import clsx from 'clsx'
import { KeyRound, MessageCircleQuestionMark, RotateCcw, ShieldCheck, Wallet } from 'lucide-react'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'

/** The kind of a request, as a tile. */
export function InboxIcon({ request, small = false }: Pick<InputRequest, 'request'> & { small?: boolean }) {
  const { Icon, tone } = looks[request.type === 'paused' ? 'paused' : (request.kind ?? 'question')]
  return (
    <span
      className={clsx(
        'inline-grid flex-none place-items-center self-start rounded-row bg-surface-2',
        small ? 'size-7' : 'size-8',
      )}
    >
      <Icon aria-hidden className={clsx(small ? 'icon-14' : 'icon', tone)} />
    </span>
  )
}

const looks = {
  question: { Icon: MessageCircleQuestionMark, tone: 'text-warning' },
  approval: { Icon: ShieldCheck, tone: 'text-accent' },
  sign_in: { Icon: KeyRound, tone: 'text-warning' },
  interrupted: { Icon: RotateCcw, tone: 'text-warning' },
  paused: { Icon: Wallet, tone: 'text-danger' },
} as const
