import type { Grants } from '../../platform/access/access.ts'
import type { Leaf } from '../../runs/runs/runs.ts'
import type { Payer } from './listen.ts'

type Bill = Parameters<Leaf['bill']>[0]
/** The step that pays for a model call. */
export type PayingStep = Pick<Leaf, 'reserve' | 'giveBack' | 'bill'>

/** A person pays for model calls inside of a step, each for the model that answered; without a step nobody does. */
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
