import type { Generated } from 'kysely'
import type { ReceivedMail } from '#shared/chat/assistant-mails/assistant-mails.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import type { CreatedAt, Json, ShareColumns, Time } from './columns.ts'

/** Versions and shares of assistants (migrations 0070, 0170, 0171), and the mails they answer (0481). */
export type AssistantTables = {
  assistant_versions: {
    assistant_id: string
    version: number
    saved_by: string | null
    returned_from: number | null
    changed: Json<(keyof AssistantContent)[]>
    content: Json<AssistantContent>
    created_at: CreatedAt
  }
  assistant_tries: {
    session_id: string
    user_id: string
    assistant_id: string | null
    content: Json<AssistantContent>
    updated_at: Time
  }
  assistant_shares: ShareColumns & { assistant_id: string; access: 'use' | 'edit' }
  assistant_addresses: {
    assistant_id: string
    /** The person in whose name it answers. */
    user_id: string
    token: Generated<string>
    is_on: Generated<boolean>
    senders: Generated<string[]>
    updated_at: CreatedAt
  }
  mail_threads: {
    id: Generated<string>
    assistant_id: string
    user_id: string
    sender: string
    session_id: string | null
    created_at: CreatedAt
  }
  assistant_mails: {
    id: Generated<string>
    assistant_id: string
    thread_id: string | null
    foreign_id: string
    sender: string
    subject: string
    body: Generated<string>
    earlier: Generated<string[]>
    state: ReceivedMail['state']
    detail: string | null
    user_message_id: string | null
    tries: Generated<number>
    due_at: CreatedAt
    received_at: CreatedAt
  }
  assistant_mail_files: {
    assistant_id: string
    foreign_id: string
    place: number
    document_id: string
    created_at: CreatedAt
  }
}
