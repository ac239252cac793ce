import { CreatedTicket, TicketDraft } from '#shared/tools/actions/action-port.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const createTicket = tool({
  id: 'create_ticket',
  name: 'Create ticket',
  icon: 'ticket',
  description:
    'Creates a ticket in Jira in the name of the person, who sees it as a draft first and may change it. Give the key of the project, such as HR.',
  input: TicketDraft,
  output: CreatedTicket,
  repeatable: false,
  policy: 'ask',
  takes: 'nothing',
  limitSeconds: 120,
  onlyWith: 'tickets',
  draft: 'ticket',
  sends: ({ project, title, body = '' }) => ({
    ...{ hosts: ['Jira'], method: 'POST', address: null, headers: { Project: project, Title: title }, body },
  }),
})

export default createTicket
