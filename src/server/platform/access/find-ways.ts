import { type RawBuilder, sql } from 'kysely'
import { ownersOfConnectors } from './connector-rules.ts'
import { companiesOf, type Person } from './principal.ts'
import { mayInProject, projectsThatAllow } from './project-rules.ts'
import { isNamedIn } from './recipient-rules.ts'
import { type Condition, isInProject, isOwn, may, tables } from './rules.ts'

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
        or ${isInProject(person, column)} or ${column('user_id')} = any(array(${ownersOfConnectors(person)})))`
    case 'assistant':
      return sql<boolean>`(${own} or ${sql.ref(`${alias}.id`)} = any(array(
        select share.assistant_id from assistant_shares share where ${isNamedIn(person)})))`
    case 'prompt':
      return sql<boolean>`(${own} or ${sql.ref(`${alias}.id`)} = any(array(select share.prompt_id from prompt_shares share
        where ${isNamedIn(person)} or share.workspace_id = any(${projectsThatAllow(person, 'read_documents')}))))`
    default:
      return thing satisfies never
  }
}

/** Selects the row behind a row of `search_items` if the person may read it now. */
export function readableRow(person: Person, thing: FoundThing, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select t.* from ${sql.table(tables[thing])} t where t.id = ${id} and ${may(person, `read ${thing}`, 't')}`
}

/** Things whose texts `search_texts` has. */
export type TextThing = 'session' | 'document' | 'prompt' | 'fact'

/**
 * Selects the owners of things that the person may perhaps read: people, and for facts also projects. A search looks through
 * the texts of these owners only. `may` decides.
 */
export function ownersToSearch(person: Person, thing: TextThing): RawBuilder<unknown> {
  const me = sql`select ${person.id}::uuid as owner`
  switch (thing) {
    case 'session':
      return sql`${me} union select shared.user_id from sessions shared
        where shared.shared_with_project and shared.workspace_id = any(${projectsThatAllow(person, 'read_chats')})`
    case 'document':
      return sql`${me} union select shared.user_id from documents shared
        where shared.company_id = any(${companiesOf(person)}::uuid[])
        union select placed.added_by from workspace_documents placed
        where placed.workspace_id = any(${projectsThatAllow(person, 'read_documents')})
        union ${ownersOfConnectors(person)}`
    case 'prompt':
      return sql`${me} union select shared.user_id from prompt_shares share join prompts shared on shared.id = share.prompt_id
        where ${isNamedIn(person)} or share.workspace_id = any(${projectsThatAllow(person, 'read_documents')})`
    case 'fact':
      return sql`${me} union select unnest(${projectsThatAllow(person, 'read_documents')})`
    default:
      return thing satisfies never
  }
}
