const TIME = '2025-03-01T10:00:00.000Z'
const at = (second: number) => new Date(Date.parse(TIME) + second * 1_000).toISOString()

/** Returns a conversation in the form of Claude's `conversations.json`. */
export function claudeChat(id: string, messages: Record<string, unknown>[]) {
  const chat_messages = messages.map((message, number) => ({
    ...{ uuid: `${id}-${number}`, sender: number % 2 === 0 ? 'human' : 'assistant', created_at: at(number) },
    ...{ text: `Text ${number}`, content: [], attachments: [], files: [] },
    ...message,
  }))
  return {
    uuid: id,
    name: `Claude ${id}`,
    created_at: TIME,
    updated_at: at(100),
    account: { uuid: 'a' },
    chat_messages,
  }
}

/** Returns a project in the form of Claude's `projects.json`. */
export function claudeProject(id: string) {
  const docs = [
    { uuid: `${id}-doc`, filename: 'rules.md', content: '# Rules\n\nBe brief.', created_at: TIME },
  ]
  return {
    uuid: id,
    name: 'Leases',
    description: 'About leases',
    prompt_template: 'Answer as a lawyer.',
    docs,
  }
}

/** Returns a chat in the form of Open WebUI's export of chats. Messages are given by id. */
export function openWebuiChat(
  id: string,
  messages: Record<string, Record<string, unknown>>,
  currentId: string,
) {
  const made = Object.entries(messages).map(([key, message], number) => [
    key,
    {
      id: key,
      role: 'user',
      content: `Text ${key}`,
      timestamp: Date.parse(TIME) / 1_000 + number,
      ...message,
    },
  ])
  const history = { messages: Object.fromEntries(made), currentId }
  const times = { created_at: Date.parse(TIME) / 1_000, updated_at: Date.parse(TIME) / 1_000 + 60 }
  return { id, user_id: 'u', title: `WebUI ${id}`, chat: { title: id, history }, ...times, archived: false }
}

/** Returns a model in the form of Open WebUI's export of models. */
export function openWebuiModel(id: string) {
  return {
    ...{
      id,
      base_model_id: 'llama3',
      name: 'Lease lawyer',
      params: { system: 'Answer as a lawyer.', temperature: 0.2 },
    },
    meta: {
      description: 'About leases',
      suggestion_prompts: [{ content: 'When does it end?' }],
      knowledge: [],
    },
  }
}

/** Returns a conversation in the form of LibreChat's JSON export; a tree with `children` when `isTree`. */
export function librechatChat(id: string, isTree: boolean) {
  const root = '00000000-0000-0000-0000-000000000000'
  const message = (messageId: string, parentMessageId: string, isCreatedByUser: boolean, number: number) => ({
    ...{ messageId, parentMessageId, conversationId: id, text: `Text ${messageId}`, isCreatedByUser },
    ...{
      sender: isCreatedByUser ? 'User' : 'GPT-4o',
      model: isCreatedByUser ? null : 'gpt-4o',
      createdAt: at(number),
    },
  })
  const [q, one, two] = [
    message('q', root, true, 0),
    message('one', 'q', false, 1),
    message('two', 'q', false, 2),
  ]
  const messages = isTree ? [{ ...q, children: [one, two] }] : [q, one, two]
  const options = { model: 'gpt-4o' }
  return {
    conversationId: id,
    endpoint: 'openAI',
    title: `Libre ${id}`,
    exportAt: TIME,
    branches: true,
    recursive: isTree,
    options,
    messages,
  }
}
