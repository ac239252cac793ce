import { useToolBlock } from '../../chat/messages/use-tool-block.ts'
import { Artifact } from '../../tools/tools/artifact.tsx'

/** Everything about one execution of a tool: a call of the chat on screen, or one made beside it. */
export function ArtifactPanel({ sessionId, subject }: { sessionId: string; subject: string | null }) {
  return <Artifact block={useToolBlock(subject)} id={subject} sessionId={sessionId} />
}
