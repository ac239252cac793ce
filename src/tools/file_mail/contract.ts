import { Filed, Filing } from '#shared/tools/actions/action-port.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const fileMail = tool({
  id: 'file_mail',
  name: 'File mail',
  icon: 'folder-input',
  description:
    'Moves a mail of the person into one of their folders. Give the id that search_mail returned and the full name of the folder.',
  input: Filing,
  output: Filed,
  repeatable: false,
  policy: 'ask',
  takes: 'nothing',
  limitSeconds: 120,
  onlyWith: 'mail',
  draft: 'filing',
})

export default fileMail
