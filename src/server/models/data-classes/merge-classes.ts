import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import { adoptClass, findClasses, findReceivers, keepDefault, replaceClass, writeReceiver } from './store.ts'

type Merge = { from: string; into: string }

/**
 * Moves the classes of a company to another one with what carries them. A class of the same name becomes that of the other company.
 * A provider that one of both companies keeps from a class does not receive it afterwards either.
 */
export async function mergeClasses(trx: Kysely<Tables>, { from, into }: Merge): Promise<void> {
  const [moving, staying] = [await findClasses(trx, [from]), await findClasses(trx, [into])]
  const [theirs, ours] = [await findReceivers(trx, from), await findReceivers(trx, into)]
  const twins = new Map(
    moving.map((one) => [
      one.id,
      staying.find(({ name }) => name.toLowerCase() === one.name.toLowerCase())?.id,
    ]),
  )
  await keepDefault(trx, from)
  for (const [at, { id }] of moving.entries()) {
    const twin = twins.get(id)
    if (twin) await replaceClass(trx, id, twin)
    else await adoptClass(trx, id, { companyId: into, position: staying.length + at })
  }
  const isOpen = (receivers: Map<string, string[]>, receiver: string, id: string) =>
    receivers.get(receiver)?.includes(id) ?? true
  for (const receiver of new Set([...theirs.keys(), ...ours.keys()])) {
    const closed = moving
      .filter(({ id }) => !isOpen(theirs, receiver, id))
      .map(({ id }) => twins.get(id) ?? id)
    const open = [
      ...staying.filter(({ id }) => isOpen(ours, receiver, id)).map(({ id }) => id),
      ...moving.filter(({ id }) => !twins.get(id)).map(({ id }) => id),
    ]
    const classes = open.filter((id) => !closed.includes(id))
    await writeReceiver(trx, { companyId: into, receiver }, classes)
  }
}
