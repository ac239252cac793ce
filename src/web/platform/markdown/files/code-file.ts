import { type LanguageName, languageOf } from '../code/languages.ts'

/** Languages whose file extension differs from their name. */
const endings: Partial<Record<LanguageName, string>> = {
  ...{
    bash: 'sh',
    clojure: 'clj',
    csharp: 'cs',
    docker: 'dockerfile',
    elixir: 'ex',
    haskell: 'hs',
    javascript: 'js',
  },
  ...{
    julia: 'jl',
    kotlin: 'kt',
    latex: 'tex',
    make: 'mk',
    markdown: 'md',
    matlab: 'm',
    nginx: 'conf',
    perl: 'pl',
  },
  ...{
    powershell: 'ps1',
    python: 'py',
    ruby: 'rb',
    rust: 'rs',
    terraform: 'tf',
    typescript: 'ts',
    yaml: 'yml',
  },
  ...{ graphql: 'graphql', jsonc: 'json' },
}

/** Returns the file extension of a language without the dot; `txt` for an unknown name. */
export function endingOf(name: string | null): string {
  const language = languageOf(name)
  if (language) return endings[language] ?? language
  const plain = (name ?? '').toLowerCase()
  if (plain === 'mermaid') return 'mmd'
  return /^[a-z][a-z0-9]{0,9}$/.test(plain) && plain !== 'text' && plain !== 'plaintext' ? plain : 'txt'
}
