import { zipOf } from '../zip.ts'

/** The ids of the run, the chat, the reply and its call in `anArchive`. */
export const [RUN, CHAT, REPLY, CALL] = [1, 2, 3, 4].map(
  (at) => `00000000-0000-4000-9000-00000000000${at}`,
) as [string, string, string, string]
const at = '2026-01-01T00:00:00.000Z'

/** Returns the record of a position. */
export const checkpointOf = (position: number, key: string, run = RUN) => ({
  ...{ position, key, kind: 'checkpoint', created_at: at },
  value: {
    value: null,
    events: [
      {
        ...{ event: 'checkpoint_created', id: `${run}:${key}`, message_id: REPLY, checkpoint_name: key },
        ...{ kind: 'llm', created_at: at, run_id: run, step_key: null, attempt: 1 },
      },
    ],
  },
})

/** Returns the journal of a reply without records. */
export const journalOf = (run = RUN) => ({
  ...{ journal_of: run, session_id: CHAT, message_id: REPLY, agent_type: 'multi_turn', agent_version: 1 },
  ...{ model_name: null, forked_from: null, forked_position: null, labels: null },
})

/** Returns the chat with one question and the replies of these runs, by reply. */
export const chatOf = (replies: Record<string, string> = { [REPLY]: RUN }) => ({
  ...{ format: 'atrium-chat', version: 2, id: CHAT, title: 'Mine' },
  messages: [
    { id: 'q', role: 'user', content: 'Hi' },
    ...Object.entries(replies).map(([id, run]) => ({
      ...{ id, parent_id: 'q', role: 'assistant', content: 'Hi' },
      blocks: [
        blockOf(run, 'llm_checkpoint_1'),
        { type: 'text', id: 't', text: 'Hi' },
        toolBlock,
        blockOf(run, 'llm_checkpoint_2'),
      ],
      original: { content: 'Hi', metadata: {}, run_id: run },
    })),
  ],
})

const toolBlock = {
  ...{ type: 'tool', id: CALL, tool_id: 'calculator', tool_name: 'Calculator', input: {}, events: [] },
  ...{ status: 'complete', result: 'stored', error: null },
}

const blockOf = (run: string, key: string) => ({
  ...{ type: 'checkpoint', id: `${run}:${key}`, checkpoint_name: key, created_at: at, run_id: run },
})

/** Packs a chat and its journals. */
export const packed = (chat: object, journals: object[]) =>
  zipOf({ [`chats/${CHAT}.json`]: JSON.stringify(chat), 'data/journals.json': JSON.stringify(journals) })

/** Returns an archive of one chat with a journal; `records` follow the first position. */
export function anArchive(records: object[], journal: object = {}) {
  const all = [checkpointOf(1, 'llm_checkpoint_1'), ...records, checkpointOf(9, 'llm_checkpoint_2')]
  return packed(chatOf(), [{ ...journalOf(), records: all, ...journal }])
}
