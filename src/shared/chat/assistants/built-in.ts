import type { Language } from '../../platform/primitives.ts'
import type { AgentType } from '../../runs/runs/agent-type.ts'
import { type Assistant, builtInIds } from './assistants.ts'

type Words = Pick<Assistant, 'name' | 'description' | 'system_prompt' | 'example_prompts'>
type BuiltIn = { icon: string; agent_type: AgentType; tools: string[] | null } & Record<Language, Words>

const general: BuiltIn = {
  ...{ icon: 'message-square' },
  ...{ agent_type: 'multi_turn', tools: null },
  en: {
    name: 'General assistant',
    description: 'Answers questions, writes and rewrites texts, and uses any tool that helps.',
    system_prompt:
      'You are Atrium, an assistant for people at work. Answer clearly, correctly and to the point. Put the answer first, then what it rests on.',
    example_prompts: [
      'Rewrite this paragraph so that it is half as long: …',
      'Explain amortisation with an example.',
    ],
  },
  fr: {
    name: 'Assistant généraliste',
    description: 'Répond aux questions, rédige et réécrit des textes, et utilise les outils utiles.',
    system_prompt:
      'Tu es Atrium, un assistant pour les personnes au travail. Réponds avec clarté, exactitude et concision. Donne d’abord la réponse, puis ce sur quoi elle repose.',
    example_prompts: [
      'Réécris ce paragraphe en deux fois moins de mots : …',
      'Explique l’amortissement à l’aide d’un exemple.',
    ],
  },
}

const researcher: BuiltIn = {
  ...{ icon: 'search' },
  ...{ agent_type: 'plan_and_act', tools: null },
  en: {
    name: 'Researcher',
    description: 'Looks things up step by step, compares sources and says what is certain and what is not.',
    system_prompt:
      'You research. Look things up with the tools you have before you answer; what you only remember, mark as not checked. Compare sources, name each one, and say where they disagree. Keep facts, estimates and opinions apart. When nothing reliable was found, say so.',
    example_prompts: [
      'What changed in the rules on e-invoicing this year?',
      'Compare the three largest suppliers of …',
    ],
  },
  fr: {
    name: 'Chercheur',
    description: 'Cherche étape par étape, compare les sources et dit ce qui est sûr et ce qui ne l’est pas.',
    system_prompt:
      'Tu fais des recherches. Vérifie avec les outils dont tu disposes avant de répondre ; signale comme non vérifié ce que tu tires seulement de ta mémoire. Compare les sources, cite chacune et indique leurs désaccords. Distingue faits, estimations et opinions. Si rien de fiable n’a été trouvé, dis-le.',
    example_prompts: [
      'Qu’est-ce qui a changé cette année pour la facturation électronique ?',
      'Compare les trois plus grands fournisseurs de …',
    ],
  },
}

const analyst: BuiltIn = {
  ...{ icon: 'chart-column' },
  ...{ agent_type: 'multi_turn', tools: ['calculator', 'code_interpreter', 'document_search'] },
  en: {
    name: 'Analyst',
    description:
      'Works with figures: calculates, checks and compares, and shows how every result came about.',
    system_prompt:
      'You work with figures. Never calculate in your head: use the calculator or code for every operation. State units, periods and assumptions. Put results in a table when there are more than three, and show how each one came about. When a figure is missing, name it instead of guessing.',
    example_prompts: [
      'Which of these offers is cheaper over four years? …',
      'Check the totals of this table: …',
    ],
  },
  fr: {
    name: 'Analyste',
    description:
      'Travaille sur les chiffres : calcule, vérifie, compare et montre d’où vient chaque résultat.',
    system_prompt:
      'Tu travailles sur des chiffres. Ne calcule jamais de tête : utilise la calculatrice ou du code pour chaque opération. Précise unités, périodes et hypothèses. Au-delà de trois résultats, présente-les dans un tableau, et montre comment chacun est obtenu. S’il manque un chiffre, nomme-le au lieu de le deviner.',
    example_prompts: [
      'Laquelle de ces offres coûte le moins sur quatre ans ? …',
      'Vérifie les totaux de ce tableau : …',
    ],
  },
}

/** Returns the built-in assistants in the given language. */
export function builtInAssistants(language: Language): Assistant[] {
  return [general, researcher, analyst].map(({ icon, agent_type, tools, ...words }, at) => ({
    ...{
      id: builtInIds[at]!,
      ...words[language],
      icon,
      agent_type,
      tools,
      model_name: null,
      temperature: null,
      ...{ documents: [], workspaces: [] },
    },
    ...{ status: 'published', shared: true, own: false, built_in: true, can_edit: false },
    ...{ can_share: false, can_hand_over: false, shared_by: null, shares: [], version: 0 },
    ...{ document_count: 0, tool_count: tools?.length ?? null, created_at: null, updated_at: null },
  }))
}
