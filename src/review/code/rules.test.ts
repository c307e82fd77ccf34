// Every rule finds its own vulnerable examples, on the line that is marked, and nothing in its fixed ones.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'
import { type Rule, type RuleLanguage, rulebook, ruleLanguages } from './rules.ts'

const diffNames: Record<RuleLanguage, string> = {
  javascript: 'TSX',
  python: 'Python',
  java: 'Java',
  php: 'PHP',
  go: 'Go',
}

const MARK = /\bFLAW\b/

const found = (rule: Rule, text: string) => {
  const lines = text.trimEnd().split('\n')
  const risks = readPieces(diffNames[rule.language], [{ first: 1, lines }], () => true) ?? []
  const marked = lines.flatMap((line, at) => (MARK.test(line) ? [at + 1] : []))
  return { hits: risks.filter((risk) => risk.rule.id === rule.id).map(({ line }) => line), marked }
}

for (const language of ruleLanguages) {
  const { rules } = rulebook(language)

  test.each(rules)('$id finds each of its vulnerable examples on the marked lines', (rule) => {
    for (const example of rule.vulnerable) {
      const { hits, marked } = found(rule, example)

      expect(marked, example).not.toEqual([])
      expect(hits, example).toEqual(marked)
    }
  })

  test.each(rules)('$id finds nothing in its fixed examples', (rule) => {
    for (const example of rule.fixed) {
      const { hits } = found(rule, example)

      expect(hits, example).toEqual([])
    }
  })
}
