import { type RawBuilder, sql } from 'kysely'
import { companiesOf, type Person } from './principal.ts'
import { mayInProject, projectsThatAllow } from './project-rules.ts'
import { type Condition, isInProject, isNamedIn, isOwn, may, tables } from './rules.ts'

/** Things that `search_items` names. */
export type FoundThing = 'session' | 'workspace' | 'document' | 'assistant' | 'prompt'

/**
 * Returns the condition that narrows rows of `search_items` to those that the person may perhaps read. It is answered by indexes of
 * that table. `isReadable` decides.
 */
export function mayPerhapsRead(person: Person, thing: FoundThing, alias: string): Condition {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const own = isOwn(person, column)
  switch (thing) {
    case 'session':
      return sql<boolean>`(${own} or ${column('id')} = any(array(select shared.id from sessions shared
        where shared.shared_with_project and shared.workspace_id = any(${projectsThatAllow(person, 'read_chats')}))))`
    case 'workspace':
      return sql<boolean>`(${own} or ${mayInProject(person, column('id'), 'read_documents')})`
    case 'document':
      return sql<boolean>`(${own} or ${column('company_id')} = any(${companiesOf(person)}::uuid[])
        or ${isInProject(person, column)})`
    case 'assistant':
      return orShared(own, person, alias, sql`select share.assistant_id from assistant_shares share`)
    case 'prompt':
      return orShared(own, person, alias, sql`select share.prompt_id from prompt_shares share`)
    default:
      return thing satisfies never
  }
}

/** Selects the row behind a row of `search_items` if the person may read it now. */
export function readableRow(person: Person, thing: FoundThing, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select t.* from ${sql.table(tables[thing])} t where t.id = ${id} and ${may(person, `read ${thing}`, 't')}`
}

function orShared(own: Condition, person: Person, alias: string, shares: RawBuilder<unknown>): Condition {
  const id = sql.ref(`${alias}.id`)
  return sql<boolean>`(${own} or ${id} = any(array(${shares} where ${isNamedIn(person)})))`
}
