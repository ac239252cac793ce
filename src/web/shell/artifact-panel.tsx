import { useToolBlock } from '../messages/use-tool-block.ts'
import { Artifact } from '../tools/artifact.tsx'

/** Everything about one execution of a tool of the chat on screen. */
export function ArtifactPanel({ subject }: { sessionId: string; subject: string | null }) {
  return <Artifact block={useToolBlock(subject)} />
}
