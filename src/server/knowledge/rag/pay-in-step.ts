import type { Grants } from '../../platform/access/access.ts'
import type { Leaf } from '../../runs/runs/runs.ts'
import type { Payer } from './listen.ts'

type Bill = Parameters<Leaf['bill']>[0]
/** The step that pays for a model call. */
export type PayingStep = Pick<Leaf, 'reserve' | 'giveBack' | 'bill'>

/**
 * Creates a payer that charges model calls to the user through the current step, each by the model that answered. Without a step, calls are
 * not charged.
 */
export function payInStep(
  { grants }: { grants: Pick<Grants, 'closedTo'> },
  userId: string,
  step: () => PayingStep | null,
  reason: Bill['reason'],
): Payer {
  return {
    isOpen: async (id) => !(await grants.closedTo(userId)).has('model', id),
    reserve: async (...call) => step()?.reserve(...call),
    giveBack: async () => step()?.giveBack(),
    bill: (usage, model_name) => step()?.bill({ model_name, reason, usage }),
  }
}
