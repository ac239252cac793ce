const greek: Record<string, string> = {
  ...{
    α: 'alpha',
    β: 'beta',
    γ: 'gamma',
    δ: 'delta',
    ε: 'varepsilon',
    ζ: 'zeta',
    η: 'eta',
    θ: 'theta',
    ι: 'iota',
  },
  ...{
    κ: 'kappa',
    λ: 'lambda',
    μ: 'mu',
    ν: 'nu',
    ξ: 'xi',
    π: 'pi',
    ρ: 'rho',
    σ: 'sigma',
    ς: 'varsigma',
    τ: 'tau',
  },
  ...{ υ: 'upsilon', φ: 'varphi', χ: 'chi', ψ: 'psi', ω: 'omega', ϕ: 'phi', ϵ: 'epsilon', ϑ: 'vartheta' },
  ...{
    Γ: 'Gamma',
    Δ: 'Delta',
    Θ: 'Theta',
    Λ: 'Lambda',
    Ξ: 'Xi',
    Π: 'Pi',
    Σ: 'Sigma',
    Φ: 'Phi',
    Ψ: 'Psi',
    Ω: 'Omega',
  },
}

const relations: Record<string, string> = {
  ...{ '×': 'times', '÷': 'div', '±': 'pm', '∓': 'mp', '·': 'cdot', '∙': 'bullet', '∗': 'ast', '∘': 'circ' },
  ...{
    '≤': 'leq',
    '≥': 'geq',
    '≠': 'neq',
    '≈': 'approx',
    '≡': 'equiv',
    '∼': 'sim',
    '∝': 'propto',
    '≪': 'll',
    '≫': 'gg',
  },
  ...{ '∞': 'infty', '∂': 'partial', '∇': 'nabla', '√': 'surd', '∑': 'sum', '∏': 'prod', '∫': 'int' },
  ...{ '∈': 'in', '∉': 'notin', '⊂': 'subset', '⊆': 'subseteq', '∪': 'cup', '∩': 'cap', '∅': 'emptyset' },
  ...{ '∀': 'forall', '∃': 'exists', '¬': 'neg', '∧': 'wedge', '∨': 'vee', '→': 'to', '←': 'leftarrow' },
  ...{
    '⇒': 'Rightarrow',
    '⇔': 'Leftrightarrow',
    '↔': 'leftrightarrow',
    '↦': 'mapsto',
    '⋯': 'cdots',
    '…': 'ldots',
  },
  ...{
    '⊕': 'oplus',
    '⊗': 'otimes',
    '⊥': 'perp',
    '∥': 'parallel',
    '∠': 'angle',
    ℏ: 'hbar',
    ℓ: 'ell',
    '′': 'prime',
  },
}

/** TeX commands for characters that have one, with the terminating space. */
export const texSigns: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries({ ...greek, ...relations }).map(([sign, name]) => [sign, `\\${name} `]),
  ),
  '−': '-',
  '\u2061': '',
  '\u2062': '',
}
