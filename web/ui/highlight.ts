// Detects a file's language, and gives its code in colours once the worker has them; until then, or without a grammar, it stays plain.

import { useEffect, useState } from 'react'
import type { LanguageInput } from 'shiki/core'

export type Token = { text: string; light: string; dark: string }
export type Asked = { id: number; code: string; language: string }
export type Coloured = { id: number; lines: Token[][] | null }

export const grammars: Record<string, LanguageInput> = {
  typescript: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  bash: () => import('shiki/langs/bash.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  terraform: () => import('shiki/langs/terraform.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  http: () => import('shiki/langs/http.mjs'),
}

const byExtension: Record<string, string> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'tsx',
  py: 'python',
  java: 'java',
  kt: 'kotlin',
  php: 'php',
  go: 'go',
  rb: 'ruby',
  rs: 'rust',
  cs: 'csharp',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  swift: 'swift',
  scala: 'scala',
  sh: 'bash',
  sql: 'sql',
  html: 'html',
  vue: 'html',
  css: 'css',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  xml: 'xml',
  tf: 'terraform',
  dockerfile: 'docker',
}

/** Null if the file's name indicates no language that has a grammar here. */
export function languageOf(path: string | null | undefined): string | null {
  const name = path?.split('/').at(-1)?.toLowerCase() ?? ''
  return byExtension[name.split('.').at(-1) ?? ''] ?? null
}

/** In characters; a longer text stays plain. */
const MOST_COLOURED = 200_000

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, (lines: Token[][] | null) => void>()

function send(code: string, language: string, done: (lines: Token[][] | null) => void): () => void {
  if (!worker) {
    worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data: { id, lines } }: MessageEvent<Coloured>) => {
      waiting.get(id)?.(lines)
      waiting.delete(id)
    }
  }
  asked += 1
  const id = asked
  waiting.set(id, done)
  worker.postMessage({ id, code, language } satisfies Asked)
  return () => {
    waiting.delete(id)
  }
}

/** The tokens of each line of `code`; null until they are here, or if there are none. */
export function useColours(code: string, language: string | null): Token[][] | null {
  const [coloured, setColoured] = useState<{ code: string; lines: Token[][] | null } | null>(null)
  useEffect(() => {
    if (language === null || code.length > MOST_COLOURED) return
    return send(code, language, (lines) => setColoured({ code, lines }))
  }, [code, language])
  return coloured?.code === code ? coloured.lines : null
}
