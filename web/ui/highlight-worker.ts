// Highlights code in a worker: a grammar is loaded when it is first needed, and code without a grammar stays plain.

import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { type Asked, type Coloured, grammars } from './highlight.ts'

let highlighter: Promise<HighlighterCore> | undefined

const open = () => {
  highlighter ??= createHighlighterCore({
    themes: [
      import('shiki/themes/github-light-high-contrast.mjs'),
      import('shiki/themes/github-dark-high-contrast.mjs'),
    ],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return highlighter
}

async function colour({ id, code, language }: Asked): Promise<Coloured> {
  const grammar = grammars[language]
  if (!grammar) return { id, lines: null }
  const known = await open()
  await known.loadLanguage(grammar)
  const { tokens } = known.codeToTokens(code, {
    lang: language,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: false,
  })
  const lines = tokens.map((line) =>
    line.map(({ content, htmlStyle }) => ({
      text: content,
      light: htmlStyle?.['--shiki-light'] ?? '',
      dark: htmlStyle?.['--shiki-dark'] ?? '',
    })),
  )
  return { id, lines }
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const coloured = await colour(data).catch((): Coloured => ({ id: data.id, lines: null }))
  self.postMessage(coloured)
}
