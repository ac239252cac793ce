import type { Agent } from './run-context.ts'

/** What a run that began with this version of its agent goes on with; undefined when nobody has that any more. */
export function findVersion(agent: Agent | undefined, version: number): Agent['run'] | undefined {
  return agent?.version === version ? agent.run : agent?.earlier?.[version]
}

/** The version of a run that reads the journal of one that began with `version`: the same as long as there is one. */
export function versionAfter(agent: Agent, version: number): number {
  return findVersion(agent, version) ? version : agent.version
}
