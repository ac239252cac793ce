import { MailDraft, SentMail } from '#shared/tools/actions/action-port.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const sendMail = tool({
  id: 'send_mail',
  name: 'Send mail',
  icon: 'send',
  description:
    'Sends a mail from the account of the person, who sees it as a draft first and may change it. To answer a mail, give its id in reply_to; recipient and subject are then filled in. Write the body as plain text.',
  input: MailDraft,
  output: SentMail,
  repeatable: false,
  policy: 'ask',
  takes: 'nothing',
  limitSeconds: 120,
  onlyWith: 'mail',
  draft: 'mail',
  sends: ({ to = [], cc = [], bcc = [], subject = '', body }) => ({
    ...{ hosts: [...to, ...cc, ...bcc], method: 'MAIL', address: null },
    ...{ headers: { Subject: subject }, body },
  }),
})

export default sendMail
