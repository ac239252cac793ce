import { useToolBlock } from '../../chat/messages/use-tool-block.ts'
import { Artifact } from '../../tools/tools/artifact.tsx'

/** Artifact panel: one tool execution, from the current chat or standalone. */
export function ArtifactPanel({ sessionId, subject }: { sessionId: string; subject: string | null }) {
  return <Artifact block={useToolBlock(subject)} id={subject} sessionId={sessionId} />
}
